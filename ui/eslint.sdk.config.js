// Mistakes that types do not show, in sdk/typescript. It stands here since the SDK is built with a newer TypeScript than
// ESLint can read with: scripts/lint runs it from there.

import js from '@eslint/js';
import globals from 'globals';
import ts from 'typescript-eslint';

export default ts.config(
  { ignores: ['**/dist/', '**/build/', 'src/generated/'] },
  js.configs.recommended,
  ...ts.configs.recommended,
  { languageOptions: { globals: globals.node } },
  {
    rules: {
      // TypeScript itself knows every name.
      'no-undef': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // Lists of characters, and what must not be read as one, are what some files are about.
      'no-misleading-character-class': 'off',
      // `== null` is both of null and undefined.
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-eval': 'error',
    },
  },
  {
    files: ['tests/**'],
    rules: {
      // Values that are there for their types, and odd ones.
      '@typescript-eslint/no-unused-vars': 'off',
      'no-sparse-arrays': 'off',
    },
  },
);
