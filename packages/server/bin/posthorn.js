#!/usr/bin/env node
// This file runs on Node 20.19 and newer; the command line needs Node 24.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runUnderNode24 } from './node-24.js'

// A clone has the TypeScript sources, which Node runs directly; the published package has compiled files.
const source = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const program = existsSync(source)
  ? ['--conditions=@posthorn/source', source]
  : [fileURLToPath(new URL('../dist/main.js', import.meta.url))]

runUnderNode24([...program, ...process.argv.slice(2)])
