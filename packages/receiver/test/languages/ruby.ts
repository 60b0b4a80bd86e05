import type { Language } from './languages.ts'

/** The row of the Ruby gem. Its adapters run with the gems that Debian packages. */
export const ruby = (folder: string): Language => ({
  name: 'Ruby',
  folder,
  install:
    'ruby puma ruby-rack ruby-railties ruby-activerecord ruby-minitest ruby-sqlite3 ruby-pg ruby-redis ' +
    'ruby-connection-pool',
  probe: ['ruby', 'test/can_run.rb'],
  // Rake would run only the files in the variable TEST, which Vitest sets.
  ownTests: ['rake', '--silent', 'test', 'TEST=test/*_test.rb'],
  cleanInstall: ['test/clean-install.sh'],
  judge: ['ruby', 'test/judge.rb'],
  adapters: ['Rack', 'Rails'].map(name => ({
    name,
    serve: port => ['puma', '--quiet', '--bind', `tcp://127.0.0.1:${port}`, 'test/live/config.ru'],
  })),
})
