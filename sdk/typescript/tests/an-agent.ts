// Stands for an agent: starts the program that its arguments name, which speaks to whoever started this.

import { spawn } from 'node:child_process';

const [program = '', ...args] = process.argv.slice(2);
spawn(program, args, { stdio: 'inherit' }).on('exit', (code) => process.exit(code ?? 1));
