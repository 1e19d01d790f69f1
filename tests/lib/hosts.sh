# SPDX-License-Identifier: MIT
# Hosts of their own on this machine: network namespaces with names of their own, joined by a bridge, for mpirun.
#   hosts_up N    makes them and sets $hosts_mpirun, the command to start ranks on them, one each. False: it cannot be
#                 done here, and $hosts_why says why (no permission, no `ip`)
#   hosts_down    removes them; hosts_up arranges for that at the script's end, after check.sh's own work
hosts_id=w$((BASHPID % 100000))
hosts_net=198.18.$((BASHPID % 250 + 1))
hosts_count=0

hosts_down() {
    local i
    for ((i = 1; i <= hosts_count; i++)); do ip netns del "$hosts_id-$i"; done
    ip link del "$hosts_id"
    hosts_count=0
} 2>/dev/null

hosts_add() { # NUMBER
    local name=$hosts_id-$1
    ip netns add "$name" &&
        ip link add "$hosts_id.$1" type veth peer name eth0 netns "$name" &&
        ip link set "$hosts_id.$1" master "$hosts_id" up &&
        ip -n "$name" link set lo up && ip -n "$name" link set eth0 up &&
        ip -n "$name" addr add "$hosts_net.$((10 + $1))/24" dev eth0
}

# Whether the second host can connect to the first, and mpirun can start something on each.
hosts_work() { # N
    python3 - "$hosts_id" "$hosts_net.11" <<'P' || return 1
import subprocess, sys
name, address = sys.argv[1:]
serve = "import socket; s = socket.create_server(('%s', 0)); print(s.getsockname()[1], flush=True); s.settimeout(20); s.accept()"
call = "import socket, sys; socket.create_connection(('%s', int(sys.argv[1])), 20)"
inside = lambda n: ["ip", "netns", "exec", "%s-%d" % (name, n), sys.executable, "-c"]
server = subprocess.Popen(inside(1) + [serve % address], stdout=subprocess.PIPE)
port = server.stdout.readline().decode().strip()
reached = subprocess.run(inside(2) + [call % address, port], stderr=subprocess.DEVNULL).returncode == 0
server.kill()
sys.exit(not reached)
P
    [ "$(timeout 120 $hosts_mpirun hostname 2>/dev/null | sort -u | wc -l)" = "$1" ]
}

hosts_up() {
    local i list=
    hosts_why='`ip` is not installed'
    command -v ip >/dev/null && command -v unshare >/dev/null || return 1
    trap 'hosts_down; rm -rf "$tmp"' EXIT
    hosts_why="no network namespaces: $(ip link add "$hosts_id" type bridge 2>&1 &&
        ip addr add "$hosts_net.1/24" dev "$hosts_id" 2>&1 && ip link set "$hosts_id" up 2>&1)"
    ip link show "$hosts_id" >/dev/null 2>&1 || return 1
    for ((i = 1; i <= $1; i++)); do
        hosts_count=$i
        hosts_why="no network namespaces: $(hosts_add "$i" 2>&1)"
        ip -n "$hosts_id-$i" addr show eth0 2>/dev/null | grep -q "$hosts_net" || return 1
        list=$list,$hosts_net.$((10 + i)):1
    done
    cat >"$tmp/agent" <<A
#!/bin/bash
number=\$((\${1##*.} - 10))
shift
exec ip netns exec "$hosts_id-\$number" unshare --uts bash -c "hostname host\$number; \$*"
A
    chmod +x "$tmp/agent"
    hosts_mpirun="mpirun --allow-run-as-root --mca plm_rsh_agent $tmp/agent --mca plm_rsh_no_tree_spawn 1
        --mca oob_tcp_if_include $hosts_net.0/24 --mca btl tcp,self --mca btl_tcp_if_include $hosts_net.0/24
        --host ${list#,} -n $1"
    hosts_why='network namespaces cannot reach each other, or mpirun not start anything in them'
    hosts_work "$1" 2>/dev/null
}
