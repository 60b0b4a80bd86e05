import type { Language } from './languages.ts'

/** The tests need libraries, so a program that the package manager lacks downloads them once. */
export const java = (folder: string): Language => ({
  name: 'Java',
  folder,
  install: 'openjdk-17-jdk-headless maven, and run receivers/java/tests/install.sh',
  probe: ['tests/can-run.sh'],
  ownTests: ['tests/run.sh'],
  cleanInstall: ['tests/clean-install.sh'],
  judge: ['tests/java.sh', 'io.posthorn.receiver.Judge'],
  adapters: ['Jakarta Servlet', 'Spring Boot'].map(name => ({
    name,
    serve: port => ['tests/java.sh', 'io.posthorn.receiver.served.LiveReceiver', `${port}`],
  })),
})
