/* SPDX-License-Identifier: MIT */
/* As in kernels that hand no switches of threads to the user's hooks. */
void sys_trace_k_thread_switched_in(void);

void sys_trace_k_thread_switched_in(void)
{
}
