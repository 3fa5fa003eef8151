// Stands between the launcher and one of its processes: when the launcher is gone, however it went, the process is
// stopped too. Argument: JSON of { command, args, cwd, user?, stopSteps: [{ signal, waitMs }] }. The launcher speaks over IPC:
// 'stop' walks through the steps, 'kill' ends at once, and a closed channel means that the launcher is gone.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const { command, args, cwd, user, stopSteps } = JSON.parse(process.argv[2]);
const child = spawn(command, args, { cwd, ...user, stdio: ['ignore', 'inherit', 'inherit'] });

let isStopping = false;
function stop() {
  if (isStopping) return;
  isStopping = true;
  escalate(stopSteps);
}

function escalate([step, ...later]) {
  child.kill(step?.signal ?? 'SIGKILL');
  if (step) setTimeout(escalate, step.waitMs, later);
}

function report(message, exitCode) {
  if (!process.connected) process.exit(exitCode);
  process.send(message, () => process.exit(exitCode));
}

process.on('message', (order) => (order === 'kill' ? child.kill('SIGKILL') : stop()));
process.on('disconnect', stop);
process.on('SIGTERM', stop);
for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {});

child.on('spawn', () => process.connected && process.send({ type: 'started', pid: child.pid }));
child.on('error', (error) => {
  if (child.pid === undefined)
    report({ type: 'exited', code: 127, signal: null, problem: error.message }, 127);
});
child.on('exit', (code, signal) =>
  report({ type: 'exited', code, signal }, code ?? 128 + (constants.signals[signal] ?? 0)),
);
