import { withoutAccents } from '../classify/plain-words.ts'

const textLengthMax = 65_536
const linesMax = 2_000
const lineLengthMax = 2_048

/** The lines that the mail system wrote itself, without the returned mail at the end. */
export function ownLines(text: string): string[] {
  const lines = text
    .slice(0, textLengthMax)
    .split(/\r\n|\r|\n/, linesMax)
    .map(line => line.slice(0, lineLengthMax))
  const end = lines.findIndex((line, index) => index > 0 && beginsReturnedMail(line))
  return end < 0 ? lines : lines.slice(0, end)
}

function beginsReturnedMail(line: string): boolean {
  if (headerField.test(line)) return true
  return line.length <= 160 && announcement.test(withoutAccents(line.toLowerCase()))
}

/** Header fields that only a mail has. */
const headerField =
  /^[ \t>|]{0,12}(?:(?:x-)?received: (?:from|by|\()|return-path:|dkim-signature:|mime-version:|content-type: (?:message\/rfc822|text\/rfc822-headers))/i

const original = '(?:original|returned|unsent|undelivered|undeliverable|rejected|failed)'
const followed = '(?:follows?|following|is (?:attached|below|following|included|returned)|below|attached)'

/** In a heading between lines, or with a word that says that the mail follows. */
const announcement = new RegExp(
  [
    `^\\P{L}{0,60}(?:below (?:this|the) line is|(?:this|here|the following|following|enclosed|attached) is|you will find) (?:a |the )?(?:complete |full )?(?:copy|text|headers?|beginning) of`,
    `^\\P{L}{0,60}(?:the )?(?:\\w+ )?headers? of the (?:original|returned)`,
    `^\\P{L}{0,60}(?:the |your )?${original} (?:message|mail|e-?mail)(?: (?:headers?|text|content|body|source))?(?:\\s*:| ${followed})\\P{L}*$`,
    `^\\P{L}{0,60}(?:message|mail) headers? ${followed}\\P{L}*$|^\\P{L}{0,60}(?:the |your )(?:message|mail|e-?mail) ${followed}\\P{L}*$`,
    `^\\P{L}{0,20}[-=*_#]{2,}\\P{L}{0,20}(?:the |your |begin )?(?:${original} |forwarded |included |enclosed )?(?:message|mail|e-?mail)(?: (?:headers?|text|content|body|source))?\\P{L}*$`,
    `^\\P{L}{0,60}ursprungliche (?:nachricht|mail)\\P{L}*$|^\\P{L}{0,60}(?:nachfolgend|es folgt)\\b.{0,40}\\bkopie\\b`,
    `^\\P{L}{0,60}message (?:d'origine|original)\\P{L}*$|^\\P{L}{0,60}ci-(?:dessous|joint)\\b.{0,40}\\bcopie`,
    `^\\P{L}{0,60}(?:(?:mensaje|mensagem) (?:de )?(?:original|origem)|messaggio originale|(?:origineel|oorspronkelijk) bericht|oryginalna wiadomosc)\\P{L}*$`,
    `^\\P{L}{0,60}(?:исходное|оригинальное) (?:сообщение|письмо)\\P{L}*$`,
    `(?:元の|オリジナルの?)(?:メッセージ|メール)\\P{L}*$|(?:原始|原)(?:邮件|郵件|信件)\\P{L}*$`,
  ].join('|'),
  'u',
)
