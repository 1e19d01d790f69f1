// SPDX-License-Identifier: MIT
// The control loop in C++: a class with a constructor that runs before main; main returns.
#include "filter.h"

namespace
{
template <int Taps> class Filter
{
  public:
    Filter()
    {
        for (int &sample : history)
            sample = -1;
    }
    int push(int sample)
    {
        return filter(history, sample);
    }

  private:
    int history[Taps];
};

Filter<FILTER_TAPS> input;
} // namespace

volatile int output;

int main()
{
    for (int sample = 0; sample < 100; sample++)
        output = input.push(sample);
    return 0;
}
