/// <reference lib="dom" />
/** Scripts that the window reads until its first page is there. */
import { onSamplePage } from './sample-page.ts'
import { atMost, type Row } from './measure.ts'

const MOST_MB = 2.5

export async function scriptRows(): Promise<Row[]> {
  const bytes = await onSamplePage((page) =>
    page.evaluate(() =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
        .reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0),
    ),
  )
  return [atMost("window's scripts to the library's page", bytes / 1e6, MOST_MB, { unit: 'MB' })]
}
