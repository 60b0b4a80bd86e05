import type { TextSample } from './text-sample.ts'

/** Mail that is no final result: answers, receipts, challenges and delays. */
export const noBounceSamples: readonly TextSample[] = [
  {
    form: 'German, a delay',
    subject: 'Zustellung verzögert',
    text: 'Ihre Nachricht an ann@example.org wurde noch nicht zugestellt.\nWeitere Zustellversuche folgen.\n',
    expect: 'none',
  },
  {
    form: 'a person who is away',
    subject: 'Automatic reply: News for November',
    from: 'Ann <ann@example.org>',
    text: `I am out of the office until Monday. Your message was not delivered to anyone else.

ann@example.org is no longer monitored.
`,
    expect: 'none',
  },
  {
    form: 'a person who left, with words like a bounce',
    subject: 'Undeliverable: News',
    from: 'Ann <ann@example.org>',
    text: 'I have left the company. The address ann@example.org no longer exists; write to bob@example.org.\n',
    expect: 'none',
  },
  {
    form: 'an answer in German',
    subject: 'Abwesenheitsnotiz: Neues im November',
    text: 'Ich bin bis Montag nicht im Haus. Die Adresse ann@example.org wird nicht zugestellt.\n',
    expect: 'none',
  },
  {
    form: 'a challenge',
    subject: 'Your message could not be delivered yet',
    text: `Your message to ann@example.org was not delivered, because the address is protected.
Click the link below to confirm that you are a person.
`,
    expect: 'none',
  },
  {
    form: 'a mailing list',
    subject: 'Your message to news awaits moderator approval',
    text: 'Your mail to ann@example.org is being held. It is pending approval by the moderator.\n',
    expect: 'none',
  },
  {
    form: 'a receipt',
    subject: 'Read: News for November',
    text: 'Your message to ann@example.org was read.\nThe delivery did not fail.\n',
    expect: 'none',
  },
  {
    form: 'a success',
    subject: 'Delivery Status Notification (Success)',
    text: 'Your message was successfully delivered to ann@example.org.\n',
    expect: 'none',
  },
  {
    form: 'a letter from a person',
    subject: 'Re: News for November',
    from: 'Ann <ann@example.org>',
    text: 'Thanks! 550 people came. ann@example.org\n',
    expect: 'none',
  },
  {
    form: 'a delay that only the subject names',
    subject: 'Delayed Mail (still being retried)',
    text: 'Your message could not be delivered.\n\n<ann@example.org>: 550 User unknown\n',
    expect: 'none',
  },
  {
    form: 'an answer of a program, from the recipient',
    subject: 'Your message was not delivered',
    from: 'ann@example.org',
    text: 'The mailbox ann@example.org is no longer in use. Please write to office@example.org.\n',
    expect: 'none',
  },
  {
    form: 'a letter that speaks of no delivery',
    subject: 'Lunch',
    from: 'Bob <bob@example.net>',
    text: 'See you at one!\n\nann@example.org\n550 User unknown\n',
    expect: 'none',
  },
]
