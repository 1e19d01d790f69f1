/* SPDX-License-Identifier: MIT */
/* The command `weft` in gdb; and, where gdb has Python, the stack of calls of recordings of probes. Their stack pointer
 * and the words on the stack are not known, so gdb cannot find frames by itself: it is given those that were recorded.
 * Each of its frames needs a stack address. The one given says how deep the frame is. It is never shown as one of the
 * registers. */
#include "tools/weft/debug_script.h"

const char debug_script[] =
    "set trust-readonly-sections on\n"
    "set may-write-memory off\n" /* gdb then says so, instead of failing at the address */
    "set may-write-registers off\n"
    "define weft\n"
    "if $argc == 0\nmonitor weft help\nend\n"
    "if $argc == 1\nmonitor weft $arg0\nend\n"
    "if $argc == 2\nmonitor weft $arg0 $arg1\nend\n"
    "if $argc == 3\nmonitor weft $arg0 $arg1 $arg2\nend\n"
    "maintenance flush register-cache\n"
    "end\n"
    "document weft\nAsks the recorded run: weft help.\nend\n"
    "python\n" /* the last part: a gdb without Python stops reading here */
    "import gdb\n"
    "from gdb.unwinder import Unwinder, register_unwinder\n"
    "class WeftFrame:\n"
    "    def __init__(self, sp, pc):\n"
    "        self.sp, self.pc = sp, pc\n"
    "class WeftStack(Unwinder):\n"
    "    def __init__(self):\n"
    "        super().__init__('weft')\n"
    "        self.levels, self.calls = [], []\n"
    "    def __call__(self, frame):\n"
    "        try:\n"
    "            int(frame.read_register('sp'))\n"
    "            return None\n"
    "        except (gdb.error, ValueError):\n"
    "            pass\n"
    "        level, pc = frame.level(), frame.read_register('pc')\n"
    "        self.levels = [l for l in self.levels if l < level]\n"
    "        if not self.levels:\n"
    "            text = gdb.execute('monitor weft stack plain', to_string=True)\n"
    "            self.calls = [int(word, 16) for word in text.split() if word.startswith('0x')]\n"
    "        at, address = len(self.levels), gdb.lookup_type('unsigned int')\n"
    "        self.levels.append(level)\n"
    "        if at >= len(self.calls) and int(pc) == 0:\n" /* before the outermost frame */
    "            depth = gdb.Value(0xfffff000 + 16 * (at - len(self.calls)))\n"
    "            info = frame.create_unwind_info(WeftFrame(depth.cast(address), pc))\n"
    "            info.add_saved_register('pc', pc)\n"
    "            return info\n"
    "        if at >= len(self.calls) or self.calls[at] != int(pc):\n"
    "            return None\n"
    "        depth = gdb.Value(0xfffff000 - 16 * (len(self.calls) - at)).cast(address)\n"
    "        block, start = gdb.block_for_pc(int(pc) - (at > 0)), int(pc)\n"
    "        while block and not block.is_static and not block.is_global:\n"
    "            start, block = block.start if block.function else start, block.superblock\n"
    "        info = frame.create_unwind_info(WeftFrame(depth, gdb.Value(start).cast(address)))\n"
    "        back = self.calls[at + 1] if at + 1 < len(self.calls) else 0\n" /* 0: the outermost frame */
    "        info.add_saved_register('pc', gdb.Value(back).cast(pc.type))\n"
    "        return info\n"
    "register_unwinder(None, WeftStack(), replace=True)\n"
    "end\n";
