// SPDX-License-Identifier: MIT
// What C++ has and C has not, for a session of an editor: a base, references, members without this->, qualified names.
// And what C has as well: a longjmp, arrays of arrays.
#include <setjmp.h>

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
static volatile short table[2][3] = {{1, 2, 3}, {4, 5, 6}};
static const volatile char names[2][9] = {"one", "two"};

static jmp_buf back;

/* Leaves its caller's call where n is odd. */
__attribute__((noinline)) static int halve(int n)
{
    if (n & 1)
        longjmp(back, n);
    return n / 2;
}

int main()
{
    for (int time = 0; time < 3; time++)
        sum = sum + first.read(time) + second.read(time) + table[time & 1][time] + names[0][time];
    for (volatile int n = 3; n < 5; n++)
        if (!setjmp(back))
            sum = halve(n);
        else
            sum = -n;
    return 0;
}
