#!/usr/bin/env node
// Runs on any Node from 20.19: the command line itself needs Node 24.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runUnderNode24 } from './node-24.js'

// A clone has the sources, which Node runs as they are; what is published has been compiled.
const source = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const program = existsSync(source)
  ? ['--conditions=@posthorn/source', source]
  : [fileURLToPath(new URL('../dist/main.js', import.meta.url))]

runUnderNode24([...program, ...process.argv.slice(2)])
