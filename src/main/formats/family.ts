/** What a family of formats is to the rest of Marrow: nothing outside of its folder names it. */
import type { ArchiveFormat } from './archive.ts'
import type { AssembledModel, BindNeighbourhood, ModelBinding, ModelChoices, Neighbourhood } from './binding.ts'
import type { Document, FileFormat } from './format.ts'
import type { FamilyEditor } from './editing.ts'
import type { LooseLayout } from './loose.ts'
import type { Diagnostic } from '../../shared/api/errors.ts'
import type { ModelSetting } from '../../shared/api/settings.ts'
import type { FamilyId } from '../../shared/api/types/family.ts'
import type { LintRule } from '../../shared/api/types/lint.ts'
import type { TextTree } from '../../shared/texts/texts.ts'

/**
 * All that Marrow knows of a family. Nothing outside its folder names it: services, library, window and command line find it in
 * the registry that they are given.
 */
export interface Family {
  /** one word, also in front of the ids of its formats, rules and choices */
  id: FamilyId
  /** as people call it: the window's name for it, the same in every language */
  label: string
  /** whose files they are, as they were sold: who starts finds the own one among them */
  readonly games: string
  /** all that it says (texts/index.ts), for whoever looks through the words of the whole product */
  texts?: TextTree
  formats: readonly FileFormat<never>[] | readonly FileFormat[]
  archives: readonly ArchiveFormat[]
  /** endings of its files that the desktop opens with Marrow at a double click: the packager's list (electron-builder.yml) has the same */
  opens?: readonly string[]
  /** More endings of its files, which other programs have for something else at a desktop: in a game's folder they are the game's. */
  alsoCalled?: readonly string[]
  /**
   * Names, lower case, of the folders that the game keeps side by side for one model's files (`meshes` and `textures`):
   * a single file is judged with what stands in all of them.
   */
  folders?: readonly string[]
  /**
   * Settings of the user that are a choice of its models, where a model has none of its own: the name of the setting and the
   * key of the choice.
   */
  settings?: Readonly<Partial<Record<ModelSetting, string>>>
  /** Members of its archives as files of their own; absent where nobody knows a game that takes them. */
  loose?: LooseLayout
  /** Models whose primary file stands in `folder`. */
  bind(folder: string, around: BindNeighbourhood): ModelBinding[]
  /** Stems of files that its games share among their models and that are not in the library: what a model in `folder` lacks may stand in them. */
  absent?(folder: string, around: Neighbourhood): readonly string[]
  /** A scene from the documents of a model. `load` gives a decoded member; a broken one is undefined and reported. */
  assemble(binding: ModelBinding, load: (ref: string) => Document | undefined, choices: ModelChoices): AssembledModel
  /** Rules that tell what the game will choke on. `model` is given when the whole model is at hand. */
  lint(document: Document, model: LintModel): Diagnostic[]
  /** formats that have rules on what has to stay as the game had it: only for these the original is looked for */
  judgedByOriginal?: readonly string[]
  /** All rules by which it judges, in words; what decoders say of a file is none of them. */
  rules?: () => LintRule[]
  /** Fixes offered by diagnostics: id -> applies it to the document that the diagnostic is about. */
  fixes?: Readonly<Record<string, (document: Document, diagnostic: Diagnostic) => void>>
  editor: FamilyEditor
}

export interface LintModel {
  binding?: ModelBinding
  around: Neighbourhood
  load(ref: string): Document | undefined
  /** the file as the game had it, where it is another now: for rules on what has to stay */
  original?: Document
}
