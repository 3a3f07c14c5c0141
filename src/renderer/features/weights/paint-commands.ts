/** Commands of the weight brush, for the palette and the keyboard. */
import { onBeforeUnmount } from 'vue'
import { useCommands } from '../../core/commands/registry.ts'
import { usePaint } from './paint.ts'

export function usePaintCommands(): void {
  const commands = useCommands()
  const paint = usePaint()
  const painting = (): boolean => paint.on
  const off = commands.register([
    { id: 'weights.paint', title: 'Paint weights', group: 'Weights', keys: ['V'], when: () => paint.available, run: paint.toggle },
    {
      id: 'weights.paint.end',
      title: 'Stop painting',
      group: 'Weights',
      keys: ['Escape'],
      when: painting,
      hidden: true,
      run: () => paint.on && paint.toggle(),
    },
    { id: 'weights.paint.mode', title: 'Brush: next mode', group: 'Weights', keys: ['D'], when: painting, run: paint.nextMode },
    {
      id: 'weights.paint.smaller',
      title: 'Brush: smaller',
      group: 'Weights',
      keys: ['['],
      when: painting,
      run: () => paint.resize(1 / 1.2),
    },
    { id: 'weights.paint.larger', title: 'Brush: larger', group: 'Weights', keys: [']'], when: painting, run: () => paint.resize(1.2) },
    {
      id: 'weights.paint.weaker',
      title: 'Brush: weaker',
      group: 'Weights',
      keys: ['{'],
      when: painting,
      run: () => paint.strengthen(-0.1),
    },
    {
      id: 'weights.paint.stronger',
      title: 'Brush: stronger',
      group: 'Weights',
      keys: ['}'],
      when: painting,
      run: () => paint.strengthen(0.1),
    },
    {
      id: 'weights.paint.mirror',
      title: 'Brush: both sides',
      group: 'Weights',
      keys: ['S'],
      when: painting,
      run: () => (paint.settings.mirror = !paint.settings.mirror),
    },
  ])
  onBeforeUnmount(off)
}
