import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the workspace. */
export const root = fileURLToPath(new URL('../', import.meta.url))

export interface Page {
  /** Relative to the root. */
  path: string
  text: string
}

export interface CodeBlock {
  /** The number of the line after the fence, counted from 1. */
  line: number
  code: string
}

/** Every Markdown page of the workspace. */
export function markdownPages(): Page[] {
  const paths = globSync('{*.md,{docs,packages,examples,bench,fixtures,tools}/**/*.md}', {
    cwd: root,
    exclude: ['**/node_modules', '**/dist'],
  })
  return paths.sort().map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/** The code blocks in `language`. */
export function codeBlocks(text: string, language: string): CodeBlock[] {
  const fence = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms')
  return [...text.matchAll(fence)].map(match => ({
    line: text.slice(0, match.index).split('\n').length + 1,
    code: match[1] ?? '',
  }))
}

/** The `@example` blocks in the comments of a source file. */
export function jsdocExamples(source: string): CodeBlock[] {
  const example = /^ \* @example\n((?: \*(?!\/)(?! @).*\n)+)/gm
  return [...source.matchAll(example)].map(match => ({
    line: source.slice(0, match.index).split('\n').length + 1,
    code: (match[1] ?? '').replaceAll(/^ \* ?/gm, ''),
  }))
}

/** The paths that a page cites: in backticks relative to the root, or as the target of a link. */
export function citedPaths({ path, text }: Page): string[] {
  const prose = text.replaceAll(/^```.*?^```$/gms, '')
  const quoted = [...prose.matchAll(/`([^`\s]+)`/g)].map(match => match[1] ?? '')
  const links = [...prose.matchAll(/\]\(([^)\s#:]+)(#[^)]*)?\)/g)].map(match =>
    join(path, '..', match[1] ?? ''),
  )
  return [...quoted.filter(text => rooted.test(text)), ...links]
}

/** A path relative to the root, without placeholders. */
const rooted = /^(packages|docs|tools|fixtures|examples|bench|\.ci)\/[\w./@-]*$/
