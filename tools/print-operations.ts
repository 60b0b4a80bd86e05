import { type Route, routes } from '../packages/contract/src/index.ts'

/** The method and path of each operation, for the dashboard, which must not load the schemas of the contract. */
export function printOperations(): string {
  const lines = Object.values<Route>(routes)
    .filter(({ path }) => path.startsWith('/v1/'))
    .map(({ operationId, method, path }) => `  ${operationId}: '${method} ${path}',`)
  return `// Printed by tools/generate.ts from the contract's route table. Do not edit.
import type { OperationId, Routes } from '@posthorn/contract'

/** The operations of the API by name: method and path. */
export const operations = {
${lines.join('\n')}
} as const satisfies {
  readonly [Id in OperationId]?: \`\${Routes[Id]['method']} \${Routes[Id]['path']}\`
}
`
}
