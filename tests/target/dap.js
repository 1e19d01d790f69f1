// SPDX-License-Identifier: MIT
// usage: dap.js WEFT RUN APP.elf KIND: a session of an editor with `weft dap`, by VS Code's test client. KIND: wet, or
// probes. Prints ok and not ok lines.
const {DebugClient} = require('@vscode/debugadapter-testsupport');
const path = require('path');
const [weft, run, elf, kind] = process.argv.slice(2);
const source = path.resolve('tests/workloads/thermostat/thermostat.c');
const client = new DebugClient(weft, 'dap', 'weft', undefined, true);
client.defaultTimeout = 120000;

function verdict(name, good, what) {
  if (!good) console.log('# ' + JSON.stringify(what));
  console.log(`${good ? 'ok' : 'not ok'} dap_${kind}_${name}`);
}
async function frames() {
  const thread = (await client.threadsRequest()).body.threads[0].id;
  return (await client.stackTraceRequest({threadId: thread})).body.stackFrames;
}
async function where() {
  const f = await frames();
  return `${f[0].name}:${f[0].line}`;
}
async function go(what, more) { // returns the reason of the stop
  const stop = client.waitForEvent('stopped');
  await client[what + 'Request']({threadId: 1, ...more});
  return (await stop).body.reason;
}
async function value(expression, context) {
  try {
    const frameId = (await frames())[0].id;
    return (await client.evaluateRequest({expression, context, frameId})).body.result;
  } catch (error) { return 'refused: ' + error.message; }
}
async function breakAt(...lines) {
  return (await client.setBreakpointsRequest({source: {path: source}, breakpoints: lines.map(line => ({line}))}))
      .body.breakpoints;
}

async function session() {
  await client.start();
  const able = (await client.initializeRequest()).body;
  verdict('says_that_it_goes_back', able.supportsStepBack && able.supportsEvaluateForHovers, able);
  const refused = await client.launchRequest({program: run + '.none', elf}).then(() => '', error => error.message);
  verdict('names_what_it_cannot_open', refused.includes(run + '.none'), refused);
  const ready = client.waitForEvent('initialized');
  await client.launchRequest({program: run, elf, sourceDir: process.cwd()});
  await ready;
  const set = await breakAt(22);
  verdict('sets_a_breakpoint_by_its_line', set.length === 1 && set[0].verified && set[0].line === 22, set);
  const stop = client.waitForEvent('stopped');
  await client.configurationDoneRequest();
  const first = (await stop).body;
  verdict('stops_there', first.reason === 'breakpoint' && first.hitBreakpointIds[0] === set[0].id, first);
  const stack = await frames();
  const names = stack.map(f => f.name);
  verdict('shows_the_calls', names[0] === 'sensor_init' && names[1] === 'main' && stack[1].line === 58, names);
  verdict('finds_the_source', stack[0].source.path === source, stack[0].source);
  await breakAt();
  verdict(
      'goes_out_of_the_function', await go('stepOut') === 'step' && (await where()).startsWith('main:5'),
      await where());
  const out = await where();
  await go('next');
  await go('next');
  verdict('steps_over_calls', (await frames())[0].name === 'main' && await where() !== out, await where());
  const there = await where();
  await go('next');
  await go('stepBack');
  verdict('a_step_back_undoes_a_step', await where() === there, [there, await where()]);
  const instruction = {granularity: 'instruction'};
  const before = (await frames())[0].instructionPointerReference;
  await go('stepIn', instruction);
  await go('stepBack', instruction);
  verdict('so_it_does_by_instructions', (await frames())[0].instructionPointerReference === before);
  await breakAt(22);
  await go('continue');
  await breakAt();
  verdict('goes_on_to_the_next_breakpoint', await where() === 'sensor_init:22', await where());

  const scopes = (await client.scopesRequest({frameId: (await frames())[0].id})).body.scopes;
  const all = [];
  for (const scope of scopes) {
    for (const v of (await client.variablesRequest({variablesReference: scope.variablesReference})).body.variables)
      all.push(v);
  }
  const of = name => all.find(v => v.name === name) || {};
  verdict(
      'lists_locals_statics_and_registers', ['sensor', 'set_point', 'r7'].every(name => of(name).name),
      all.map(v => v.name));
  if (kind === 'wet') {
    verdict(
        'knows_arguments', /^0x[0-9a-f]+ <sensors\+\d+>$/.test(of('sensor').value) && /^\d+$/.test(of('offset').value),
        all);
    const members =
        (await client.variablesRequest({variablesReference: of('sensors').variablesReference})).body.variables;
    const parts = (await client.variablesRequest({variablesReference: members[0].variablesReference})).body.variables;
    verdict(
        'opens_structures', members.length === 4 && parts[0].name === 'name' && parts[0].value === '"north"', parts);
    verdict('follows_pointers', /^-?\d+$/.test(await value('sensor->offset')), await value('sensor->offset'));
  } else {
    verdict('says_what_is_not_known', of('sensor').value === '<unknown>' && of('r4').value === '<unknown>', all);
  }
  verdict('refuses_what_is_not_there', (await value('nosuch')).startsWith('refused: no variable'));

  const moved = client.waitForEvent('stopped');
  await value('weft goto end', 'repl');
  verdict('goes_where_it_is_told', (await moved).body.reason === 'goto');
  verdict('values_are_those_of_the_instant', await value('set_point') === '-4846', await value('set_point'));
  const hover = (await value('set_point', 'hover')).split('\n');
  verdict(
      'a_hover_says_how_it_came_about',
      hover[0] === '-4846' && hover.length > 2 && hover.join().includes('thermostat.c'), hover);
  const info = (await client.dataBreakpointInfoRequest({name: 'set_point'})).body;
  const watch = {dataId: info.dataId, accessType: 'write'};
  const watches = (await client.setDataBreakpointsRequest({breakpoints: [watch]})).body.breakpoints;
  const met = client.waitForEvent('stopped');
  const last = await go('reverseContinue');
  const ids = (await met).body.hitBreakpointIds;
  verdict('says_which_data_breakpoint_it_was', ids.length === 1 && ids[0] === watches[0].id, [ids, watches]);
  verdict(
      'goes_back_to_the_last_write',
      last === 'data breakpoint' && await value('set_point') !== '-4846' &&
          (await frames()).some(f => f.name === 'main'),
      [last, await value('set_point')]);
  await go('continue');
  verdict('and_on_over_it', await value('set_point') === '-4846', await value('set_point'));
  await client.setDataBreakpointsRequest({breakpoints: []});
  if (kind === 'wet') {
    await client.setFunctionBreakpointsRequest({breakpoints: [{name: 'strcpy'}]});
    await go('reverseContinue');
    const library = (await frames())[0];
    verdict(
        'a_file_that_is_not_here_has_no_path', library.name === 'strcpy' && !library.source.path && library.source.name,
        library);
    await client.setFunctionBreakpointsRequest({breakpoints: []});
  }
  verdict('ends_at_the_beginning', await go('reverseContinue') === 'entry');
  const code = (await client.customRequest('readMemory', {memoryReference: '0x0', count: 8})).body;
  const none = (await client.customRequest('readMemory', {memoryReference: '0x90000000', count: 8})).body;
  verdict(
      'reads_memory_as_far_as_it_is_known', Buffer.from(code.data, 'base64').length === 8 && none.unreadableBytes === 8,
      [code, none]);
  await client.disconnectRequest();
}
session().then(() => process.exit(0), error => {
  console.log(`# ${error.stack}`);
  console.log(`not ok dap_${kind}_the_session_goes_through`);
  process.exit(1);
});
