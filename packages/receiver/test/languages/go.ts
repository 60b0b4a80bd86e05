import type { Language } from './languages.ts'

export const go = (folder: string): Language => ({
  name: 'Go',
  folder,
  install: 'golang-go, and run receivers/go/tests/install.sh',
  probe: ['tests/build.sh'],
  ownTests: ['tests/run.sh'],
  cleanInstall: ['tests/clean-install.sh'],
  judge: ['tests/.bin/judge'],
  adapters: ['net/http handler', 'net/http middleware'].map(name => ({
    name,
    serve: port => ['tests/.bin/live', `${port}`],
  })),
})
