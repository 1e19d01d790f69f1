// SPDX-License-Identifier: MIT
// usage: dap_cpp.js WEFT RUN APP.elf: a session of an editor with `weft dap` over a run of dap.cpp, which was compiled
// without optimisation. Prints ok and not ok lines.
const {DebugClient} = require('@vscode/debugadapter-testsupport');
const [weft, run, elf] = process.argv.slice(2);
const client = new DebugClient(weft, 'dap', 'weft', undefined, true);
client.defaultTimeout = 120000;

function verdict(name, good, what) {
  if (!good) console.log('# ' + JSON.stringify(what));
  console.log(`${good ? 'ok' : 'not ok'} dap_cpp_${name}`);
}
async function frames() { return (await client.stackTraceRequest({threadId: 1})).body.stackFrames; }
async function go(what) {
  const stop = client.waitForEvent('stopped');
  await client[what + 'Request']({threadId: 1});
  await stop;
  return (await frames())[0];
}
async function value(expression, context) {
  try {
    const frameId = (await frames())[0].id;
    return (await client.evaluateRequest({expression, context, frameId})).body.result;
  } catch (error) { return 'refused: ' + error.message; }
}
async function values(...expressions) {
  const all = [];
  for (const one of expressions) all.push(await value(one));
  return all.join(' ');
}
async function functionBreaks(...names) {
  return (await client.setFunctionBreakpointsRequest({breakpoints: names.map(name => ({name}))})).body.breakpoints;
}

async function session() {
  await client.start();
  await client.initializeRequest();
  const ready = client.waitForEvent('initialized');
  await client.launchRequest({program: run, elf, sourceDir: process.cwd()});
  await ready;
  const set = await functionBreaks('plant::Sensor::read', 'Sensor::read', 'read(const int &)', 'nsor::read', 'nosuch');
  verdict('finds_functions_by_the_end_of_their_names', set.map(b => +b.verified).join('') === '11100', set);
  await functionBreaks('Sensor::read');
  const stop = client.waitForEvent('stopped');
  await client.configurationDoneRequest();
  await stop;
  verdict('names_functions_with_their_classes', (await frames())[0].name === 'plant::Sensor::read', await frames());
  const members = await values('id', 'offset', 'this->id', 'first.id', 'second.id', 'second.offset');
  verdict('knows_members_and_those_of_a_base', members === '1 3 1 1 2 -5', members);
  const numbers = await values('first.third', 'first.tenth');
  verdict('shows_all_digits_of_a_double', numbers === '0.3333333333333333 0.1', numbers);
  verdict('follows_references', await value('time') === '0', await value('time'));
  const count = await values('plant::Sensor::count', 'plant::Base::count');
  verdict('takes_qualified_names', /^2 refused/.test(count), count);
  const rows = await values('table', 'table[1]', 'table[1][2]', 'table[0][1]', 'table[2]', 'table[1][3]', 'names[1]');
  verdict('knows_the_rows_of_an_array', /^\[\.\.\.\] \[\.\.\.\] 6 2 refused.* refused.* "two"$/.test(rows), rows);
  const hover = await value('second.id', 'hover');
  verdict('says_how_a_member_of_a_base_came_about', /^2\n.*plant::Sensor::Sensor/.test(hover), hover);

  await functionBreaks();
  await go('stepOut');
  const inside = await go('stepIn');
  verdict(
      'steps_into_a_function_to_where_its_arguments_are',
      inside.name === 'plant::Sensor::read' && await values('id', 'time') === '2 0',
      [inside, await values('id', 'time')]);
  const start = client.waitForEvent('stopped');
  await value('weft goto ' + (await value('weft calls plant::Sensor::read', 'repl')).match(/^(\d+\.\d+) /m)[1], 'repl');
  await start;
  verdict(
      'knows_no_value_before_the_frame_is_made', await values('this', 'value') === '<unknown> <unknown>',
      [await frames(), await values('this', 'value')]);

  // The first call of halve leaves by longjmp, the second one returns to where the first one would have.
  const line =
      require('fs').readFileSync('tests/target/dap.cpp', 'utf8').split('\n').findIndex(l => l.includes('= halve(n)')) +
      1;
  const source = {path: require('path').resolve('tests/target/dap.cpp')};
  await client.setBreakpointsRequest({source, breakpoints: [{line}]});
  await go('continue');
  await client.setBreakpointsRequest({source, breakpoints: []});
  const over = await go('next');
  verdict(
      'steps_over_a_call_to_where_a_longjmp_leads', over.name === 'main' && await value('n') === '3',
      [over, await value('n')]);
  await functionBreaks('halve');
  await go('reverseContinue');
  const out = await go('stepOut');
  verdict(
      'goes_out_of_a_call_to_where_a_longjmp_leads', out.name === 'main' && await value('n') === '3',
      [out, await value('n')]);
  await client.disconnectRequest();
}
session().then(() => process.exit(0), error => {
  console.log(`# ${error.stack}`);
  console.log('not ok dap_cpp_the_session_goes_through');
  process.exit(1);
});
