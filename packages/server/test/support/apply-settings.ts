import type { Queryable } from '../../src/db/database.ts'

/** Gives a transaction the settings of a service's connection, each as `name=value`. */
export async function applySettings(tx: Queryable, settings: readonly string[]): Promise<void> {
  for (const setting of settings) {
    const [name, ...value] = setting.split('=')
    await tx.query('select set_config($1, $2, true)', [name, value.join('=')])
  }
}
