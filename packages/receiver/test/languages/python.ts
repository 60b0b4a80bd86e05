import type { Language } from './languages.ts'

const interpreter = '.venv/bin/python'

/** The tests run in the environment that `tests/install.sh` creates. */
export const python = (folder: string): Language => ({
  name: 'Python',
  folder,
  install: 'python3-venv, and run receivers/python/tests/install.sh',
  probe: [interpreter, 'tests/can_run.py'],
  ownTests: [interpreter, '-m', 'pytest'],
  cleanInstall: ['tests/clean-install.sh'],
  judge: [interpreter, 'tests/judge.py'],
  adapters: ['FastAPI', 'Flask', 'Django'].map(name => ({
    name,
    serve: port => [interpreter, 'tests/live/receiver.py', `${port}`],
  })),
})
