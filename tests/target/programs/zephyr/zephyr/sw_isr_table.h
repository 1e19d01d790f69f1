/* SPDX-License-Identifier: MIT */
/* The kernel's table of who serves which interrupt. */
struct _isr_table_entry {
    const void *arg;
    void (*isr)(const void *arg);
};
extern struct _isr_table_entry _sw_isr_table[];
void z_irq_spurious(const void *arg);
void _isr_wrapper(void);
