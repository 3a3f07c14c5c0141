/** A program: what Electron's utility process is to the module that it is given, with a port to the process that forked it. */
import { EventEmitter } from 'node:events'
import { pathToFileURL } from 'node:url'

class ParentPort extends EventEmitter {
  postMessage(message: unknown): void {
    process.send?.(message)
  }
}

const port = new ParentPort()
Object.assign(process, { parentPort: port })
// it ends with the application
process.on('disconnect', () => process.exit(1))
await import(pathToFileURL(process.argv[2]).href)
// what was sent until now waits for the first listener
process.on('message', (data) => port.emit('message', { data, ports: [] }))
