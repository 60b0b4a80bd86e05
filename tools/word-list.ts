/** Words and phrases that make our English hard to read, as regular expressions, and what to write instead. */
const replacements: Readonly<Record<string, string>> = {
  // outdated grammar
  'whoever|whomever': '“if someone …”, or name the actor',
  'whom|of which': '“who”, “that”, or a new sentence',
  'such as (?:are|is)': '“that are”',
  'for as long as': '“while” or “until”',
  'nobody who': '“no one who”, or name the actor',
  'otherwise than': '“differently” or “other than”',
  'what (?:became|becomes|came|comes) of': '“the result of”, “what happened to”',
  '(?:say|says|said|tell|tells|told) of': '“about”',
  '(?:is|are|was|were) told': '“gets”, or the actor: “Posthorn tells …”',
  'for ever': '“forever”',
  'for good': '“permanently”',
  'in vain': '“without success”',
  anew: '“again”',
  hence: '“so”',
  shall: '“must” or “will”',
  upon: '“on”',
  'written down|writes? down': '“stored”, “stores”',
  'mends?': '“fix”',
  // nicknames and metaphors
  'rests|resting': '“waits”, “pauses”',
  'debts?': '“backlog”',
  'bears?': '“has”, “contains”',
  'fares?|fared': '“health”, “how … is doing”',
  standstill: '“revocation grace period”',
  agenda: '“timer heap”',
  'held back': '“delayed”, “waiting”',
  suspects: '“poison deliveries”',
  'rooms?': '“capacity”, “space”',
  'ears?': '“read buffer”',
  'houses?': '“installation”',
  guilty: '“at fault”, “that failed”',
  'hears?|heard': '“receives”, “learns”',
  '(?:stand|stands|stood) in': '“is in”',
  'real-world': '“system clock”',
}

export interface Finding {
  /** Of the place in the text, counted from 1. */
  line: number
  found: string
  instead: string
}

/** Every listed word in a text, in any case, also where a line or a comment breaks inside a phrase. */
export function listedWords(text: string): Finding[] {
  return patterns.flatMap(({ pattern, instead }) =>
    [...text.matchAll(pattern)].map(match => ({
      line: text.slice(0, match.index).split('\n').length,
      found: match[0].replaceAll(lineBreak, ' '),
      instead,
    })),
  )
}

const lineBreak = /\s+(?:(?:\*|\/\/|--|>)\s+)?/g

const patterns = Object.entries(replacements).map(([words, instead]) => ({
  pattern: new RegExp(`(?<![\\w-])(?:${words.replaceAll(' ', lineBreak.source)})(?![\\w-])`, 'gi'),
  instead,
}))
