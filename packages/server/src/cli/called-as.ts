import { isRunByNpm } from '../config.ts'

/** How the user types this command: with npx in a clone or a project, otherwise by name. */
export function calledAs(): 'npx posthorn' | 'posthorn' {
  // a clone runs the sources and has no posthorn on the PATH
  return import.meta.url.endsWith('.ts') || isRunByNpm() ? 'npx posthorn' : 'posthorn'
}

/**
 * Rewrites each command in a text so that it works here.
 * @example
 * asCalled('Next: posthorn start') // 'Next: npx posthorn start' in a clone
 */
export function asCalled(text: string): string {
  return text.replaceAll(/(?<![\w./@-])posthorn (?=[a-z<-])/g, `${calledAs()} `)
}
