import { settingGroups } from '../packages/server/src/settings.ts'

/** Every setting with its default and its meaning, as a page. */
export function printConfiguration(): string {
  const groups = Object.entries(settingGroups).map(([title, settings]) => {
    const rows = Object.entries(settings).map(
      ([name, { unset, meaning }]) => `| \`${name}\` | \`${unset}\` | ${meaning} |`,
    )
    return `## ${title}

| Variable | Default | Meaning |
| --- | --- | --- |
${rows.join('\n')}
`
  })
  return `<!-- Printed by tools/generate.ts from packages/server/src/settings.ts. Do not edit. -->

# Configuration

You configure Posthorn with environment variables. On a laptop, all of them are optional.

A \`POSTHORN_*\` variable that is not on this page, or that has a malformed value, stops the start with one line that
names it. Values in seconds or hours may be decimals. An empty value counts as unset.

${groups.join('\n')}`
}
