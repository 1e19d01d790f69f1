/* SPDX-License-Identifier: MIT */
/* The Lua interpreter: parses and runs a script that uses tables, strings, closures, coroutines and errors
 * (longjmp). */
#include <stdio.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "tests/workloads/seeded.h"

static const char script[] =
    "local sum = 0\n"
    "local function add(x) sum = (sum * 31 + x) % 2147483647 end\n"
    "local sieve = {}\n"
    "for i = 2, 200 do if not sieve[i] then add(i) for j = i * i, 200, i do sieve[j] = true end end end\n"
#ifdef WORKLOAD_SEEDED
    "local x = seed\n"
    "for i = 1, 60 do\n"
    "  x = (x * 1103515245 + 12345) % 2147483648\n"
    "  if x % 3 == 0 then add(x) else sieve[x % 200] = tostring(x):rep(x % 5) end\n"
    "end\n"
#endif
    "local words = {}\n"
    "for word in ('the weft goes over and under the warp and back'):gmatch('%a+') do words[#words + 1] = word end\n"
    "table.sort(words)\n"
    "for i, word in ipairs(words) do add(#word * i) end\n"
    "local text = table.concat(words, ' '):upper():gsub('THE', 'a')\n"
    "for i = 1, #text do add(text:byte(i)) end\n"
    "local fib = coroutine.wrap(function() local a, b = 0, 1 while true do coroutine.yield(a) a, b = b, a + b end "
    "end)\n"
    "for i = 1, 30 do add(fib()) end\n"
    "for i = 1, 5 do local ok, err = pcall(function() error('no ' .. i) end) add(#err) end\n"
    "add(math.floor(math.sqrt(2) * 1e6))\n"
    "return sum\n";

int main(void)
{
    static const luaL_Reg libraries[] = {{LUA_GNAME, luaopen_base},
                                         {LUA_TABLIBNAME, luaopen_table},
                                         {LUA_STRLIBNAME, luaopen_string},
                                         {LUA_MATHLIBNAME, luaopen_math},
                                         {LUA_COLIBNAME, luaopen_coroutine}};
    lua_State *lua = luaL_newstate();
    if (!lua)
        return 1;
    for (unsigned i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
        luaL_requiref(lua, libraries[i].name, libraries[i].func, 1);
        lua_pop(lua, 1);
    }
#ifdef WORKLOAD_SEEDED
    lua_pushinteger(lua, (lua_Integer)workload_seed);
    lua_setglobal(lua, "seed");
#endif
    int failed = luaL_dostring(lua, script);
    if (failed)
        printf("lua: %s\n", lua_tostring(lua, -1));
    else
        printf("lua: checksum %08lx\n", (unsigned long)lua_tointeger(lua, -1));
    lua_close(lua);
    return failed;
}
