import { settings } from '../packages/server/src/settings.ts'

/** Every setting with its default and its meaning, as a page. */
export function printConfiguration(): string {
  const rows = Object.entries(settings).map(
    ([name, { defaultText, meaning }]) => `| \`${name}\` | \`${defaultText}\` | ${meaning} |`,
  )
  return `<!-- Printed by tools/generate.ts from packages/server/src/settings.ts. Do not edit. -->

# Configuration

Posthorn is configured by environment variables. All of them are optional on a laptop.

A \`POSTHORN_*\` variable that is not in this table, or that has a malformed value, stops the start with one line that
names it. Values in seconds or hours may be decimals. An empty value counts as unset.

| Variable | Default | Meaning |
| --- | --- | --- |
${rows.join('\n')}
`
}
