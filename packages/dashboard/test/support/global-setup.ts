import { buildDashboard } from '../../../../tools/build-dashboard.ts'

/** The tests open the page as it is written now. */
export default async function setup(): Promise<void> {
  await buildDashboard()
}
