# SPDX-License-Identifier: MIT
# Debian's Python comes first: it has the modules that set-up installs, and the wrapper of a version manager takes half
# a second to start it. For tests/run and check.sh.
case $(command -v python3) in
/usr/bin/python3 | "$PWD/build/bin/python3") ;;
*)
    if [ -x /usr/bin/python3 ]; then
        mkdir -p build/bin
        ln -sfn /usr/bin/python3 build/bin/python3
        PATH=$PWD/build/bin:$PATH
    fi
    ;;
esac
