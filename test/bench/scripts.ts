/// <reference lib="dom" />
/** Scripts and styles that the window reads: until its first page is there, and in all, with what comes while it rests. */
import { onSamplePage } from './sample-page.ts'
import { atMost, byItself, type Row } from './measure.ts'

const MOST_MB = 1

export async function scriptRows(): Promise<Row[]> {
  const read = await onSamplePage(async (page) => {
    // the picture and the pages of models come when the window rests
    await page.waitForLoadState('networkidle')
    return page.evaluate(() => {
      const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      const bytes = (ends: string, until = Infinity): number =>
        all
          .filter(({ name, startTime }) => new URL(name).pathname.endsWith(ends) && startTime < until)
          .reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0)
      const shown = performance.getEntriesByName('marrow.first-page')[0]?.startTime ?? Infinity
      return { all: bytes('.js') + bytes('.css'), first: bytes('.js', shown) + bytes('.css', shown) }
    })
  })
  return [
    atMost("scripts and styles until the window's first page", read.first / 1e6, MOST_MB, { unit: 'MB' }),
    byItself('with the scripts that come while it rests', read.all / 1e6, 'MB'),
  ]
}
