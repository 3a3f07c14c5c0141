import type { Rule } from 'eslint'

declare const texts: { rules: { 'in-catalogue': Rule.RuleModule; 'said-late': Rule.RuleModule } }
export default texts
