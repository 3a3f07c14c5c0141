/**
 * The shaders of the viewport. Colours stay in the file's own display space from texel to pixel, as the games
 * themselves worked: an unlit white material shows a texture's exact values.
 */
import { MAX_LAYERS } from './surface.ts'

const layers = Array.from({ length: MAX_LAYERS }, (_, i) => i)
const each = (body: (i: number) => string): string => layers.map(body).join('\n')

export const surfaceVertex = `
precision highp float;
attribute vec3 position;
#ifdef NORMAL
attribute vec3 normal;
#endif
#ifdef COLOR
attribute vec4 color;
varying vec4 vColor;
#endif
#ifdef HAS_UV
attribute vec2 uv;
#endif
#ifdef HAS_UV2
attribute vec2 uv2;
#endif
#ifdef HAS_UV3
attribute vec2 uv3;
#endif
#ifdef HAS_UV4
attribute vec2 uv4;
#endif
#ifdef HEAT
attribute float heat;
varying float vHeat;
#endif
uniform mat4 world;
uniform mat4 view;
uniform mat4 viewProjection;
uniform vec2 uScroll;
varying vec3 vViewPosition;
varying vec3 vNormal;
#ifdef TEXTURE
varying vec2 vBase;
#endif
${each((i) => `#ifdef LAYER${i}\nvarying vec2 vLayer${i};\n#endif`)}

void main() {
  vec4 p = world * vec4(position, 1.0);
  vViewPosition = (view * p).xyz;
#ifdef NORMAL
  vNormal = mat3(view) * (mat3(world) * normal);
#else
  vNormal = vec3(0.0);
#endif
#ifdef COLOR
  vColor = color;
#endif
#ifdef TEXTURE
  vBase = BASE_UV + uScroll;
#endif
${each((i) => `#ifdef LAYER${i}\n  vLayer${i} = LAYER${i}_UV;\n#endif`)}
#ifdef HEAT
  vHeat = heat;
#endif
  gl_Position = viewProjection * p;
}`

export const surfaceFragment = `
precision highp float;
varying vec3 vViewPosition;
varying vec3 vNormal;
#ifdef COLOR
varying vec4 vColor;
#endif
#ifdef TEXTURE
varying vec2 vBase;
uniform sampler2D sBase;
#endif
${each((i) => `#ifdef LAYER${i}\nvarying vec2 vLayer${i};\nuniform sampler2D sLayer${i};\n#endif`)}
#ifdef HEAT
varying float vHeat;
uniform vec3 uRamp[9];
uniform vec3 uNoWeight;
#endif
uniform mat4 view;
uniform vec4 uDiffuse;
uniform vec3 uEmissive;
uniform vec4 uSpecular;
uniform vec3 uTeam;
uniform vec3 uClay;
/* opacity, alpha test (-1 none), lit, textured */
uniform vec4 uFlags;
uniform float uTeamOn;

const vec3 KEY = vec3(-0.42, 0.62, 0.66);
const vec3 FILL = vec3(0.80, 0.05, 0.60);

vec3 blendLayer(vec3 below, vec4 layer, vec3 light, int mode) {
  if (mode == 1) return mix(below, layer.rgb * light, layer.a);
  if (mode == 2) return below + layer.rgb * layer.a;
  if (mode == 3) return below - layer.rgb * layer.a;
  if (mode == 4) return below * mix(vec3(1.0), layer.rgb, layer.a);
  if (mode == 5) return below + layer.rgb * layer.a * (1.0 - below);
  return layer.rgb * light;
}

void main() {
  vec3 n = vNormal;
  /* no normal in the file: the face's own */
  if (dot(n, n) < 1e-8) n = cross(dFdx(vViewPosition), dFdy(vViewPosition));
  else if (!gl_FrontFacing) n = -n;
  n = normalize(n);
  vec3 toEye = normalize(-vViewPosition);

  vec4 base = uDiffuse;
  float alpha = uDiffuse.a;
  vec3 texel = vec3(1.0);
  float picture = 1.0;
#ifdef TEXTURE
#ifdef ENVIRONMENT
  vec4 sampled = texture2D(sBase, vec2(0.5 + 0.5 * n.x, 0.5 - 0.5 * n.y) + vBase);
#else
  vec4 sampled = texture2D(sBase, vBase);
#endif
  texel = sampled.rgb;
  alpha *= sampled.a;
  picture = sampled.a;
#endif
#ifdef COLOR
#ifndef PRELIT
  texel *= vColor.rgb;
#endif
  alpha *= vColor.a;
#endif
  if (alpha < uFlags.y) discard;

  /* key light over the viewer's left shoulder, a cooler fill from the right, sky and floor */
  vec3 up = (view * vec4(0.0, 1.0, 0.0, 0.0)).xyz;
  float key = max(0.0, dot(n, normalize(KEY)) * 0.8 + 0.2);
  float fill = max(0.0, dot(n, normalize(FILL)));
  float sky = 0.5 + 0.5 * dot(n, up);
  vec3 lamp = mix(vec3(0.40, 0.39, 0.40), vec3(0.52, 0.54, 0.57), sky) + key * vec3(0.52, 0.51, 0.48) + fill * vec3(0.06, 0.07, 0.09);
#ifdef PRELIT
  lamp = 0.75 * lamp + vColor.rgb;
#endif
  vec3 light = mix(vec3(1.0), min(lamp, vec3(1.08)), uFlags.z);

  vec3 color;
#ifdef HEAT
  float t = clamp(vHeat, 0.0, 1.0) * 8.0;
  vec3 ramp = uRamp[8];
  for (int i = 0; i < 8; i++) if (t >= float(i) && t < float(i + 1)) ramp = mix(uRamp[i], uRamp[i + 1], t - float(i));
  vec3 heatColor = mix(uNoWeight, ramp, smoothstep(0.0, 0.02, vHeat));
  /* a hint of the picture helps to find one's way on the model */
  color = heatColor * mix(vec3(1.0), lamp, 0.55) * mix(1.0, 0.35 + dot(texel, vec3(0.3, 0.59, 0.11)), 0.3);
#else
  /* 1: all of it; 2: where the picture's alpha is out */
  if (uTeamOn > 0.5) texel = mix(texel, uTeam * min(1.0, 1.15 * max(texel.r, max(texel.g, texel.b))), uTeamOn > 1.5 ? 1.0 - picture : 1.0);
  vec3 surface = mix(uClay, texel * base.rgb, uFlags.w);
  color = surface * light + mix(vec3(0.0), texel * uEmissive, uFlags.w);
  if (uSpecular.w > 0.0 && uFlags.z > 0.5) {
    vec3 h = normalize(normalize(KEY) + toEye);
    color += uSpecular.rgb * pow(max(0.0, dot(n, h)), uSpecular.w) * uFlags.w;
  }
  if (uFlags.w > 0.5) {
${each((i) => `#ifdef LAYER${i}\n    color = blendLayer(color, texture2D(sLayer${i}, vLayer${i}), light, LAYER${i});\n#endif`)}
  }
#endif
  color = clamp(color, 0.0, 1.0);

#if BLEND == 0
  /* opaque: texture alpha is for the alpha test only; a clip may still fade it */
  float a = uFlags.x;
  gl_FragColor = vec4(color * a, a);
#elif BLEND == 1
  float a = alpha * uFlags.x;
  if (a < 0.004) discard;
  gl_FragColor = vec4(color * a, a);
#elif BLEND == 2
  gl_FragColor = vec4(color * alpha * uFlags.x, 0.0);
#elif BLEND == 4
  gl_FragColor = vec4(mix(vec3(1.0), color, alpha * uFlags.x), 1.0);
#else
  gl_FragColor = vec4(color * alpha * uFlags.x, 0.0);
#endif
}`

/** Lines and flat faces with a colour per vertex; alpha fades with distance from the middle of the view for the grid. */
export const flatVertex = `
precision highp float;
attribute vec3 position;
attribute vec4 tint;
uniform mat4 world;
uniform mat4 view;
uniform mat4 viewProjection;
varying vec4 vTint;
varying vec3 vWorld;
void main() {
  vec4 p = world * vec4(position, 1.0);
  vTint = tint;
  vWorld = p.xyz;
  gl_Position = viewProjection * p;
}`

export const flatFragment = `
precision highp float;
varying vec4 vTint;
varying vec3 vWorld;
uniform vec4 uTint;
/* middle x, z, radius where it has faded; 0 for no fade */
uniform vec3 uFade;
void main() {
  vec4 c = vTint * uTint;
  if (uFade.z > 0.0) c.a *= 1.0 - smoothstep(0.35, 1.0, length(vWorld.xz - uFade.xy) / uFade.z);
  if (c.a < 0.003) discard;
  gl_FragColor = vec4(c.rgb * c.a, c.a);
}`

/** Edges of triangles in one colour, pulled a little to the viewer so that they lie on the surface. */
export const wireVertex = `
precision highp float;
attribute vec3 position;
uniform mat4 world;
uniform mat4 viewProjection;
void main() {
  gl_Position = viewProjection * (world * vec4(position, 1.0));
  gl_Position.z -= 0.0004 * gl_Position.w;
}`

export const wireFragment = `
precision highp float;
uniform vec4 uTint;
void main() {
  gl_FragColor = vec4(uTint.rgb * uTint.a, uTint.a);
}`

/** A model at another moment: one colour, stronger at its outline. */
export const ghostVertex = `
precision highp float;
attribute vec3 position;
uniform mat4 world;
uniform mat4 view;
uniform mat4 viewProjection;
varying vec3 vViewPosition;
void main() {
  vec4 p = world * vec4(position, 1.0);
  vViewPosition = (view * p).xyz;
  gl_Position = viewProjection * p;
  /* behind all that has a depth: a ghost tells where the model was, and hides nothing of where it is */
  gl_Position.z = 0.99999 * gl_Position.w;
}`

export const ghostFragment = `
precision highp float;
uniform vec4 uTint;
varying vec3 vViewPosition;
void main() {
  vec3 n = normalize(cross(dFdx(vViewPosition), dFdy(vViewPosition)));
  float edge = 1.0 - abs(dot(n, normalize(vViewPosition)));
  float a = uTint.a * (0.45 + 0.9 * edge);
  gl_FragColor = vec4(uTint.rgb * a, a);
}`

/** A model laid over another one: of the two passes one draws what stands in front of the other's surface, one what is below it. */
export const laidVertex = `
precision highp float;
attribute vec3 position;
attribute float apart;
uniform mat4 world;
uniform mat4 view;
uniform mat4 viewProjection;
/* in depth: what lies in the other's surface is drawn in no pass */
uniform float uBias;
varying vec3 vViewPosition;
varying float vApart;
void main() {
  vec4 p = world * vec4(position, 1.0);
  vViewPosition = (view * p).xyz;
  vApart = apart;
  gl_Position = viewProjection * p;
  gl_Position.z += uBias * gl_Position.w;
}`

export const laidFragment = `
precision highp float;
uniform vec4 uTint;
varying vec3 vViewPosition;
varying float vApart;
void main() {
  vec3 n = normalize(cross(dFdx(vViewPosition), dFdy(vViewPosition)));
  float facing = abs(dot(n, normalize(vViewPosition)));
  float a = min(1.0, uTint.a * (1.0 + 0.9 * (1.0 - facing))) * vApart;
  if (a < 0.004) discard;
  gl_FragColor = vec4(uTint.rgb * (0.55 + 0.45 * facing) * a, a);
}`
