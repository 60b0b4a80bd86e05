import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './markdown.ts'
import { type FirstHour, runFirstHour } from './first-hour.ts'

/** The pages that show what the first commands print. */
export const pages = ['README.md', 'docs/first-event.md']

/** What each excerpt shows of the output of its command. A page names it in a comment before the block. */
const excerpts: Readonly<Record<string, (printed: FirstHour) => string>> = {
  start: ({ start }) =>
    `${between(start, /^Posthorn is running/, /^ {2}Data /)}\n…\n${between(start, /^To see your first/, /quickstart$/)}`,
  events: ({ quickstart }) => between(quickstart, /^Reporting one outcome/, /email\.unsubscribed/),
  quickstart: ({ quickstart }) =>
    `$ npx posthorn quickstart\n${between(quickstart, /^Created/, /^ {2}Saved in /)}\n…`,
  remove: ({ remove }) => `$ npx posthorn quickstart --remove\n${remove.trim()}`,
}

/** The page with each excerpt replaced by what the commands print. Only a time may differ, and then the old one stays. */
export function withExcerpts(page: string, printed: FirstHour): string {
  const block = /(?<=<!-- excerpt: (\w+) -->\n```\w+\n).*?(?=\n```$)/gms
  return page.replaceAll(block, (old, name: string) => {
    const excerpt = excerpts[name]
    if (excerpt === undefined) throw new Error(`there is no excerpt called ${name}`)
    const fresh = excerpt(printed)
    return withoutTimes(fresh) === withoutTimes(old) ? old : fresh
  })
}

function withoutTimes(text: string): string {
  return text.replaceAll(/ +\d+ m?s {2}/g, ' 0 ms  ')
}

/** The lines from the first one that looks like this to the next one that looks like that. */
function between(text: string, first: RegExp, last: RegExp): string {
  const lines = text.split('\n')
  const from = lines.findIndex(line => first.test(line))
  const to = lines.findIndex((line, i) => i >= from && last.test(line))
  if (from < 0 || to < 0) throw new Error(`no lines from ${first} to ${last} in:\n${text}`)
  return lines.slice(from, to + 1).join('\n')
}

if (import.meta.main) {
  const printed = await runFirstHour()
  for (const path of pages) {
    const page = readFileSync(join(root, path), 'utf8')
    const fresh = withExcerpts(page, printed)
    if (fresh === page) continue
    writeFileSync(join(root, path), fresh)
    process.stdout.write(`wrote ${path}\n`)
  }
}
