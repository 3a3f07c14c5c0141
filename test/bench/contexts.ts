/// <reference lib="dom" />
/**
 * What one graphics context for two pictures of a page would cost in each of their frames: only one canvas can be the context's own, so the picture of
 * another is handed to it. That is why the pane of the library has a context beside that of the model. A page draws 60 frames a second at most: both are
 * alike where a frame takes less than that.
 */
import { inBrowser } from './browser.ts'
import type { Row } from './measure.ts'

const MODEL = { width: 1160, height: 700 }
const PANE = { width: 304, height: 304 }
const FRAMES = 30
const TRIANGLES = 20_000

type Size = typeof MODEL

/** Milliseconds a frame: each on a canvas of its own context, the model's handed over from a canvas off the page, the pane's read back of the model's context. */
interface Taken {
  modelOwn: number
  modelHanded: number
  paneOwn: number
  paneRead: number
}

interface Asked {
  model: Size
  pane: Size
  frames: number
  triangles: number
}

/** In the page, which knows nothing of this file. */
async function measured({ model, pane, frames, triangles }: Asked): Promise<Taken> {
  const VERTEX = '#version 300 es\nin vec3 at; uniform float turn; void main() { gl_Position = vec4(at.xy * cos(turn), at.z, 1.0); }'
  const FRAGMENT = '#version 300 es\nprecision highp float; out vec4 color; void main() { color = vec4(1.0, 0.5, 0.2, 1.0); }'

  function context(canvas: HTMLCanvasElement | OffscreenCanvas): { gl: WebGL2RenderingContext; draw: (turn: number, size: Size) => void } {
    const gl = canvas.getContext('webgl2', { antialias: true, alpha: false }) as WebGL2RenderingContext
    const program = gl.createProgram()
    for (const [kind, source] of [
      [gl.VERTEX_SHADER, VERTEX],
      [gl.FRAGMENT_SHADER, FRAGMENT],
    ] as const) {
      const shader = gl.createShader(kind)!
      gl.shaderSource(shader, source)
      gl.compileShader(shader)
      gl.attachShader(program, shader)
    }
    gl.bindAttribLocation(program, 0, 'at')
    gl.linkProgram(program)
    gl.useProgram(program)
    // small ones, all over the picture
    const places = Float32Array.from({ length: 9 * triangles }, (_, i) => {
      const corner = Math.floor(i / 3) % 3
      return Math.sin(Math.floor(i / 9) * (1 + (i % 3)) * 12.9898) + (corner === i % 3 ? 0.03 : 0)
    })
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer())
    gl.bufferData(gl.ARRAY_BUFFER, places, gl.STATIC_DRAW)
    gl.enableVertexAttribArray(0)
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0)
    gl.enable(gl.DEPTH_TEST)
    const turned = gl.getUniformLocation(program, 'turn')
    return {
      gl,
      draw(turn, { width, height }) {
        gl.viewport(0, 0, width, height)
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
        gl.uniform1f(turned, turn)
        gl.drawArrays(gl.TRIANGLES, 0, 3 * triangles)
      },
    }
  }

  function canvasOf({ width, height }: Size): HTMLCanvasElement {
    const canvas = Object.assign(document.createElement('canvas'), { width, height })
    document.body.replaceChildren(canvas)
    return canvas
  }

  const frame = (): Promise<number> => new Promise((done) => requestAnimationFrame(done))

  /** A context that is measured is let go of. */
  async function each(gl: WebGL2RenderingContext, draw: (turn: number) => void | Promise<void>): Promise<number> {
    let began = 0
    // the first ones pay for compiling
    for (let i = -3; i < frames; i++) {
      await frame()
      if (i === 0) began = performance.now()
      await draw(i / frames)
    }
    await frame()
    const taken = (performance.now() - began) / frames
    gl.getExtension('WEBGL_lose_context')!.loseContext()
    return taken
  }

  async function own(size: Size): Promise<number> {
    const { gl, draw } = context(canvasOf(size))
    return each(gl, (turn) => draw(turn, size))
  }

  async function handed(size: Size): Promise<number> {
    const shown = canvasOf(size).getContext('bitmaprenderer')!
    const off = new OffscreenCanvas(size.width, size.height)
    const { gl, draw } = context(off)
    return each(gl, (turn) => {
      draw(turn, size)
      shown.transferFromImageBitmap(off.transferToImageBitmap())
    })
  }

  /** Into a target of its size, fetched as soon as it is there, without holding up the page. */
  async function readBack(size: Size): Promise<number> {
    const { width, height } = size
    const shown = canvasOf(size).getContext('2d', { alpha: false })!
    const { gl, draw } = context(new OffscreenCanvas(model.width, model.height))
    const target = (samples: number, depth: boolean): WebGLFramebuffer => {
      const framebuffer = gl.createFramebuffer()
      gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer)
      for (const [format, place] of [
        [gl.RGBA8, gl.COLOR_ATTACHMENT0] as const,
        ...(depth ? [[gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT] as const] : []),
      ]) {
        const buffer = gl.createRenderbuffer()
        gl.bindRenderbuffer(gl.RENDERBUFFER, buffer)
        gl.renderbufferStorageMultisample(gl.RENDERBUFFER, samples, format, width, height)
        gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, buffer)
      }
      return framebuffer
    }
    const [smooth, plain] = [target(4, true), target(0, false)]
    const pixels = new ImageData(width, height)
    return each(gl, async (turn) => {
      gl.bindFramebuffer(gl.FRAMEBUFFER, smooth)
      draw(turn, size)
      gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, plain)
      gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT, gl.NEAREST)
      gl.bindFramebuffer(gl.FRAMEBUFFER, plain)
      const fetched = gl.createBuffer()
      gl.bindBuffer(gl.PIXEL_PACK_BUFFER, fetched)
      gl.bufferData(gl.PIXEL_PACK_BUFFER, 4 * width * height, gl.STREAM_READ)
      gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, 0)
      const there = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)!
      gl.flush()
      while (gl.clientWaitSync(there, 0, 0) === gl.TIMEOUT_EXPIRED) await new Promise((done) => setTimeout(done, 1))
      gl.getBufferSubData(gl.PIXEL_PACK_BUFFER, 0, pixels.data)
      gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null)
      gl.deleteBuffer(fetched)
      gl.deleteSync(there)
      shown.putImageData(pixels, 0, 0)
    })
  }

  return { modelOwn: await own(model), modelHanded: await handed(model), paneOwn: await own(pane), paneRead: await readBack(pane) }
}

export async function contextRows(): Promise<Row[]> {
  const taken = await inBrowser(async (browser) => {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    return page.evaluate(measured, { model: MODEL, pane: PANE, frames: FRAMES, triangles: TRIANGLES })
  })
  const row = (name: string, ms: number, againstMs: number): Row => ({
    name,
    bytes: 0,
    ms,
    against: 'on the canvas of a context of its own',
    againstMs,
    aim: 0,
  })
  return [
    row("one context for two pictures: a frame of the model's, handed over from a canvas off the page", taken.modelHanded, taken.modelOwn),
    row("one context for two pictures: a frame of the pane's, read back of the model's context", taken.paneRead, taken.paneOwn),
  ]
}
