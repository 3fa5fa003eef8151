// Runs the launcher's processes, and stops them when the launcher dies for any reason. One guard serves all
// processes, because each Node.js process needs memory. The launcher sends orders over IPC: { order: 'start', id,
// command, args, cwd, env, user?, log, stopSteps: [{ signal, waitMs }] }, then { order: 'stop', id }, which takes the
// steps in turn, or { order: 'kill', id }. A closed channel means that the launcher is dead or no longer needs the
// guard.
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/** Running processes by id. */
const running = new Map();

const orders = {
  start: (start) => {
    try {
      run(start);
    } catch (error) {
      report({ type: 'exited', id: start.id, code: 127, signal: null, problem: error.message });
    }
  },
  stop: ({ id }) => stop(running.get(id)),
  kill: ({ id }) => running.get(id)?.child.kill('SIGKILL'),
};

function run({ id, command, args, cwd, env, user, log, stopSteps }) {
  const output = openSync(log, 'a', 0o600);
  const child = spawn(command, args, { cwd, env, ...user, stdio: ['ignore', output, output] });
  closeSync(output);
  running.set(id, { child, stopSteps, isStopping: false });
  child.on('spawn', () => report({ type: 'started', id, pid: child.pid }));
  child.on('error', (error) => {
    if (child.pid === undefined) end({ id, code: 127, signal: null, problem: error.message });
  });
  child.on('exit', (code, signal) => end({ id, code, signal }));
}

function stop(process) {
  if (!process || process.isStopping) return;
  process.isStopping = true;
  escalate(process, process.stopSteps);
}

function escalate(process, [step, ...later]) {
  process.child.kill(step?.signal ?? 'SIGKILL');
  if (step) process.timer = setTimeout(escalate, step.waitMs, process, later);
}

function end({ id, ...exit }) {
  clearTimeout(running.get(id).timer);
  running.delete(id);
  report({ type: 'exited', id, ...exit });
}

function report(message) {
  if (process.connected) process.send(message, () => {});
}

function stopAll() {
  for (const each of running.values()) stop(each);
}

process.on('message', (message) => orders[message.order](message));
process.on('disconnect', stopAll);
process.on('SIGTERM', stopAll);
for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {});
