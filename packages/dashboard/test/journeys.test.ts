import { afterAll, beforeAll, expect, test } from 'vitest'
import { whyDidItFail } from './journeys/1-why-did-it-fail.ts'
import { firstEndpoint } from './journeys/2-first-endpoint.ts'
import { rotate } from './journeys/3-rotate.ts'
import { recover } from './journeys/4-recover.ts'
import { enable } from './journeys/5-enable.ts'
import { debug } from './journeys/6-debug.ts'
import { portal } from './journeys/7-portal.ts'
import { isThePostMoving } from './journeys/8-is-the-post-moving.ts'
import { howDidMyCampaignGo } from './journeys/9-how-did-my-campaign-go.ts'
import { isMyEndpointHealthy } from './journeys/10-is-my-endpoint-healthy.ts'
import { colleaguesKey } from './journeys/11-a-colleagues-key.ts'
import { walk } from './journeys/journey.ts'
import { describeInBrowser } from './support/in-browser.ts'
import { type Stage, startStage } from './support/stage.ts'

const journeys = [
  { name: 'why did it fail', clicks: 1, as: 'customer', story: whyDidItFail },
  { name: 'the first endpoint', clicks: 4, as: 'customer', story: firstEndpoint },
  { name: 'a new signing secret', clicks: 5, as: 'customer', story: rotate },
  { name: 'sent again after an outage', clicks: 2, as: 'customer', story: recover },
  { name: 'a disabled endpoint back to work', clicks: 3, as: 'customer', story: enable },
  { name: 'signatures that fail', clicks: 2, as: 'customer', story: debug },
  { name: 'a portal link', clicks: 3, as: 'operator', story: portal },
  { name: 'a new colleague finds the key', clicks: 4, as: 'customer', story: colleaguesKey },
  { name: 'how did my campaign go', clicks: 1, as: 'customer', story: howDidMyCampaignGo },
  { name: 'is my endpoint healthy this week', clicks: 2, as: 'customer', story: isMyEndpointHealthy },
  { name: 'is the post moving', clicks: 0, as: 'operator', story: isThePostMoving },
] as const

describeInBrowser.each(['mouse', 'keyboard'] as const)('by %s', by => {
  let stage: Stage
  beforeAll(async () => {
    stage = await startStage()
  }, 120_000)
  afterAll(async () => await stage[Symbol.asyncDispose]())

  test.each(journeys)('$name: $clicks clicks', async ({ clicks, as, story }) => {
    expect(await walk(stage, by, as, story)).toEqual({ clicks, complaints: [] })
  })
})
