/** A material of the scene as a shader of the engine: what does not change from frame to frame is set here. */
import { Constants } from '@babylonjs/core/Engines/constants'
import { Material as EngineMaterial } from '@babylonjs/core/Materials/material'
import { ShaderMaterial } from '@babylonjs/core/Materials/shaderMaterial'
import { Color3, Color4 } from '@babylonjs/core/Maths/math.color'
import { Vector2, Vector4 } from '@babylonjs/core/Maths/math.vector'
import type { Mesh as DrawnMesh } from '@babylonjs/core/Meshes/mesh'
import type { Scene as Stage } from '@babylonjs/core/scene'
import type { Material, Mesh, Scene } from '../../shared/scene/types.ts'
import { NO_WEIGHT, rampNumbers } from './heat.ts'
import { surfaceFragment, surfaceVertex } from './shaders.ts'
import { MAX_LAYERS, surfaceOf } from './surface.ts'
import type { TextureSet } from './textures.ts'
import { parseColor } from './vec.ts'

const UNIFORMS = [
  'world',
  'view',
  'viewProjection',
  'uScroll',
  'uDiffuse',
  'uEmissive',
  'uSpecular',
  'uTeam',
  'uClay',
  'uFlags',
  'uTeamOn',
  'uRamp',
  'uNoWeight',
]
const SAMPLERS = ['sBase', ...Array.from({ length: MAX_LAYERS }, (_, i) => `sLayer${i}`)]

/** @param heat in the colours of weights: opaque, holes of the picture kept */
export function surfaceShader(stage: Stage, textures: TextureSet, material: Material, mesh: Mesh, heat = false): ShaderMaterial {
  const surface = surfaceOf(material, mesh, textures.has)
  const shader = new ShaderMaterial(
    `material ${material.name}`,
    stage,
    { vertexSource: surfaceVertex, fragmentSource: surfaceFragment },
    {
      attributes: heat ? [...surface.attributes, 'heat'] : surface.attributes,
      uniforms: UNIFORMS,
      samplers: SAMPLERS,
      defines: heat ? ['BLEND 0', 'HEAT', ...surface.defines.slice(1)] : surface.defines,
      needAlphaBlending: surface.transparent && !heat,
    },
  )
  if (heat) {
    shader.setArray3('uRamp', rampNumbers())
    shader.setColor3('uNoWeight', Color3.FromArray(parseColor(NO_WEIGHT)))
    shader.setColor4('uDiffuse', new Color4(...material.diffuse))
    shader.setVector4('uFlags', new Vector4(1, material.blend === 'alpha' ? Math.max(0.3, material.alphaTest) : material.alphaTest, 1, 1))
  }
  shader.alphaMode = surface.alphaMode
  shader.backFaceCulling = surface.cull
  // the scene's fronts run counter-clockwise; the engine's own shapes do not
  shader.sideOrientation = EngineMaterial.CounterClockWiseSideOrientation
  shader.depthFunction = surface.depthFunction
  shader.disableDepthWrite = !surface.depthWrite && !heat
  shader.forceDepthWrite = surface.depthWrite && surface.transparent && !heat
  shader.setVector2('uScroll', new Vector2(0, 0))
  shader.setColor3('uEmissive', Color3.FromArray(material.emissive))
  shader.setVector4(
    'uSpecular',
    new Vector4(...material.specular, Math.max(...material.specular) > 0 ? Math.max(1, material.shininess) : 0),
  )
  if (textures.has(material.texture)) shader.setTexture('sBase', textures.get(material.texture, material))
  let n = 0
  for (const layer of material.layers)
    if (n < MAX_LAYERS && textures.has(layer.texture)) shader.setTexture(`sLayer${n++}`, textures.get(layer.texture, material))
  return shader
}

/** The engine has no blend mode for destination minus source: the equation is set for this draw call alone. */
export function reverseSubtract(drawn: DrawnMesh, shader: ShaderMaterial): void {
  const state = drawn.getScene().getEngine().alphaState
  shader.onBindObservable.add(() => {
    const equation = Constants.GL_ALPHA_EQUATION_REVERSE_SUBTRACT
    state.setAlphaEquationParameters(equation, Constants.GL_ALPHA_EQUATION_ADD, 0)
  })
  drawn.onAfterRenderObservable.add(() =>
    state.setAlphaEquationParameters(Constants.GL_ALPHA_EQUATION_ADD, Constants.GL_ALPHA_EQUATION_ADD, 0),
  )
}

/**
 * Where the player's colour goes: 0 nowhere, 1 everywhere, 2 where the picture's alpha is out, as pictures of opaque materials say it that
 * have one. A checker stays a checker.
 */
export function teamMode(material: Material, scene: Scene): number {
  if (!material.teamColor) return 0
  const texture = scene.textures[material.texture]
  if (!texture) return 1
  if (texture.missing) return 0
  return texture.hasAlpha && material.blend === 'opaque' && material.alphaTest < 0 ? 2 : 1
}
