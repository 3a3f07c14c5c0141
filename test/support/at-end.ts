/** What support modules do after each test, and after each file of tests: a hook of a module that files share would run for the first of them alone. */
type Task = () => void | Promise<void>

const tests: Task[] = []
const files: Task[] = []

export function afterEachTest(task: Task): void {
  tests.push(task)
}

export function afterEachFile(task: Task): void {
  files.push(task)
}

export async function endTest(): Promise<void> {
  for (const task of tests) await task()
}

export async function endFile(): Promise<void> {
  for (const task of files) await task()
}
