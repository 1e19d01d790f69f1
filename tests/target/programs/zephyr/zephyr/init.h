/* SPDX-License-Identifier: MIT */
/* Constructors are what runs before main here. */
#define SYS_INIT(function, level, priority)                                                                            \
    __attribute__((constructor(102))) static void started(void)                                                        \
    {                                                                                                                  \
        function();                                                                                                    \
    }
