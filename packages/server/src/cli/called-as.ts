import { isRunByNpm } from '../config.ts'

/** How a command is typed where this process was called: through npx in a clone or a project, else by its name. */
export function calledAs(): 'npx posthorn' | 'posthorn' {
  // a clone runs the sources, and has no posthorn on the path
  return import.meta.url.endsWith('.ts') || isRunByNpm() ? 'npx posthorn' : 'posthorn'
}

/**
 * One of our own texts with each command as it works here.
 * @example
 * asCalled('Next: posthorn start') // 'Next: npx posthorn start' in a clone
 */
export function asCalled(text: string): string {
  return text.replaceAll(/(?<![\w./@-])posthorn (?=[a-z<-])/g, `${calledAs()} `)
}
