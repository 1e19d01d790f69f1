# SPDX-License-Identifier: MIT
"""The unit and property tests of core/, for programs that build them with a core of their own: one that counts its
branches (tests/coverage/core.py), or one with a fault (tests/mutants/mutants.py)."""
import glob
import os
import re
import shutil
import subprocess

SUPPORT = ['tests/lib/check.c', 'tests/lib/check_host.c']
POLYBENCH = ['blas', 'products', 'solvers', 'stencils', 'table', 'tiled']
# Sources beyond the test's own and SUPPORT, as in tests/tests.mk.
MORE = {
    'prop_recorder': ['model', 'model_ranges'],
    'prop_recorder_ksf': ['model', 'model_ranges'],
    'prop_recorder_passes': ['model', 'model_ranges'],
    'prop_recorder_packs': ['model', 'model_ranges'],
    'prop_recorder_rows': ['model', 'model_ranges'],
    'prop_affine_target': ['sites', 'tilings', 'target_model'] + ['polybench_' + part for part in POLYBENCH],
    'prop_grammar_sequitur': ['nas'],
    'prop_loopnest': ['loop_model', 'hostile'],
}
# Which tests cover a file, the fast ones first. The first pattern that fits a file counts.
RECORDER = ['test_recorder', 'test_recorder_format', 'test_recorder_limits', 'test_recorder_marks',
            'test_recorder_history', 'test_recorder_packs', 'test_recorder_room',
            'prop_recorder_passes', 'prop_recorder_packs', 'prop_recorder_lent', 'prop_recorder_ksf', 'prop_recorder']
CONCERNED = [
    (r'core/bytes', ['test_bytes', 'test_frame'] + RECORDER),
    (r'core/frame', ['test_frame'] + RECORDER),
    (r'core/bfcm(\.|_word|_hash)', ['test_bfcm', 'test_limits', 'prop_bfcm', 'test_recorder_format', 'prop_recorder']),
    (r'core/(bfcm_sites|recorder_bfcm)', ['test_recorder_format', 'test_recorder_coders', 'prop_recorder']),
    (r'core/ksf', ['test_ksf', 'test_ksf_gate', 'test_limits', 'prop_ksf', 'prop_ksf_parts', 'prop_recorder_ksf']),
    (r'core/recorder_ksf', ['test_recorder_ksf', 'test_recorder_limits', 'prop_recorder_ksf']),
    (r'core/loopnest', ['test_loopnest', 'test_limits', 'prop_loopnest']),
    (r'core/sequitur', ['test_sequitur', 'test_limits', 'prop_sequitur', 'prop_grammar_sequitur']),
    (r'core/tre', ['test_tre', 'test_tre_steps', 'prop_affine_target']),
    (r'core/recorder_tre', ['test_recorder_coders', 'test_recorder_limits', 'prop_recorder_rows', 'prop_recorder']),
    (r'core/blackbox_packed', ['test_blackbox', 'prop_blackbox_packed', 'prop_blackbox_power']),
    (r'core/blackbox', ['test_blackbox', 'prop_blackbox', 'prop_blackbox_packed', 'prop_blackbox_power']),
    (r'core/', RECORDER),
]
LIBS = re.search('^HOST_LIBS := (.*)', open('tools/tools.mk').read(), re.M)[1].split()


def concerned(file):
    return next(tests for pattern, tests in CONCERNED if re.match(pattern, file))


def all_tests():
    return sorted({test for _, tests in CONCERNED for test in tests})


def source_of(test):
    return f'tests/{"unit" if test.startswith("test_") else "prop"}/{test}.c'


def support_of(test):
    return SUPPORT + [f'tests/lib/{name}.c' for name in MORE.get(test, [])]


def core_sources():
    return sorted(glob.glob('core/*.c'))


def compiled(source, target, *flags):
    """Compiles to `target`; None if that fails."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    command = ['gcc', '-std=gnu11', '-pthread', *flags, '-I.', '-c', source, '-o', target]
    return target if subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0 else None


def library_without_core(build, target):
    """The host library's objects other than core's, as an archive."""
    if os.path.exists(target):
        os.remove(target)
    shutil.copy(f'{build}/host/libweft.a', target)
    core = [os.path.basename(path)[:-2] + '.o' for path in glob.glob('core/*.c')]
    subprocess.run(['ar', 'd', target, *core], check=True)
    return target
