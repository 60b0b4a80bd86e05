import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { buildDashboard } from './build-dashboard.ts'
import { root } from './markdown.ts'
import { packageFolders, separator } from './third-party-licenses.ts'

const dashboard = join(root, 'packages/dashboard')
let notices: string[]
beforeAll(async () => {
  await buildDashboard()
  notices = readFileSync(join(dashboard, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8').split(separator)
})

/** For what is inside Redoc's script the list has names without versions. */
const listed = (): string[] => notices.map(notice => notice.split(/[ \n]/, 1)[0] ?? '')

test('every package that the dashboard imports, and each of its fonts, is listed', () => {
  const sources = globSync('src/**/*.{ts,tsx,css}', { cwd: dashboard, exclude: ['**/*.test.*'] })
    .map(path => readFileSync(join(dashboard, path), 'utf8'))
    .join('\n')
  const name =
    /^(?:import (?!type ).*from |\} from |import\(|@import |\s*src: url\()['"]((?:@[^/'"]+\/)?[a-z][^/'"]*)/gm
  const imported = new Set([...sources.matchAll(name)].map(([, one = '']) => one))
  // pages also show code that imports packages of the reader's
  const { devDependencies } = JSON.parse(readFileSync(join(dashboard, 'package.json'), 'utf8'))
  const others = [...imported].filter(one => one in devDependencies && !one.startsWith('@posthorn/'))

  expect(others).toEqual(
    expect.arrayContaining(['react', 'lucide-react', 'tailwindcss', '@fontsource/ibm-plex-mono']),
  )
  expect(others.filter(one => !listed().includes(one))).toEqual([])
  // what these depend on
  expect(listed()).toEqual(expect.arrayContaining(['scheduler', '@tanstack/query-core', 'redoc']))
})

test('every package with a license comment in a built file is listed', () => {
  const code = globSync('dist/assets/*.{js,css}', { cwd: dashboard })
    .map(path => readFileSync(join(dashboard, path), 'utf8'))
    .join('\n')
  const signed = code.matchAll(
    /\/\*[!*]+\s*(?:\* )?(?:@license )?([a-z][\w-]+)(?:\.js| --)? (?:v?\d+\.\d|Copyright)/gi,
  )
  const names = new Set([...signed].map(([, name = '']) => name.toLowerCase()))

  expect([...names]).toEqual(expect.arrayContaining(['tailwindcss', 'dompurify', 'react-router', 'js-yaml']))
  expect([...names].filter(name => !listed().includes(name))).toEqual([])
})

test('each notice names a license and has a text', () => {
  expect(notices.length).toBeGreaterThan(60)
  for (const notice of notices) {
    expect(notice).toMatch(/^[@\w/.-]+( \d+\.\d+\.\d+\S*)?\nLicense: .+\n\n/)
    expect(notice.length, notice).toBeGreaterThan(100)
  }
})

test('the modules of a bundle are traced to their packages, even nested ones', () => {
  const modules = [
    '/clone/packages/dashboard/src/main.tsx',
    '/clone/node_modules/react/cjs/react.production.js',
    '/clone/node_modules/react/index.js?commonjs-entry',
    '/clone/node_modules/@visx/scale/node_modules/d3-scale/src/index.js',
  ]
  expect([...packageFolders(modules)]).toEqual([
    '/clone/node_modules/react',
    '/clone/node_modules/@visx/scale/node_modules/d3-scale',
  ])
})
