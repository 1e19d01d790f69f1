// SPDX-License-Identifier: MIT
// What C++ has and C has not, for a session of an editor: a base, references, members without this->, qualified names.
namespace plant
{
class Base
{
  public:
    int id = 0;
    double third = 1.0 / 3;
    float tenth = 0.1f;
};

class Sensor : public Base
{
  public:
    explicit Sensor(int start) : offset(start)
    {
        id = ++count;
    }
    int read(const int &time) const
    {
        int value = 20 * time + offset;
        return value;
    }
    static int count;

  private:
    int offset;
};
int Sensor::count = 0;
} // namespace plant

static plant::Sensor first(3), second(-5);
static volatile int sum;

int main()
{
    for (int time = 0; time < 3; time++)
        sum = sum + first.read(time) + second.read(time);
    return 0;
}
