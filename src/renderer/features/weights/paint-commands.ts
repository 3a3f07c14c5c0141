/** Commands of the weight brush, for the palette and the keyboard. */
import { useOwnCommands } from '../../core/commands/registry.ts'
import { usePaint } from './paint.ts'

export function usePaintCommands(): void {
  const paint = usePaint()
  const painting = (): boolean => paint.on
  useOwnCommands([
    { id: 'weights.paint', when: () => paint.available, run: paint.toggle },
    {
      id: 'weights.paint.end',
      when: painting,
      run: () => paint.on && paint.toggle(),
    },
    { id: 'weights.paint.mode', when: painting, run: paint.nextMode },
    {
      id: 'weights.paint.smaller',
      when: painting,
      run: () => paint.resize(1 / 1.2),
    },
    { id: 'weights.paint.larger', when: painting, run: () => paint.resize(1.2) },
    {
      id: 'weights.paint.weaker',
      when: painting,
      run: () => paint.strengthen(-0.1),
    },
    {
      id: 'weights.paint.stronger',
      when: painting,
      run: () => paint.strengthen(0.1),
    },
    {
      id: 'weights.paint.mirror',
      when: painting,
      run: () => (paint.settings.mirror = !paint.settings.mirror),
    },
  ])
}
