/** A macrotask that, unlike a timeout, is not delayed when nested: what is asked for while a frame is drawn comes behind its painting. */
export function nextTask(): Promise<void> {
  return new Promise((done) => {
    const channel = new MessageChannel()
    channel.port1.onmessage = () => {
      channel.port1.close()
      done()
    }
    channel.port2.postMessage(0)
  })
}
