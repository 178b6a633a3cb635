import type { Approval } from '../../generated/protocol';
import { m } from '../../paraglide/messages.js';
import { plainText } from '../../text/marks';

/** A request in the few words that fit into a narrow column; the card shows all of it. */
export function listLabel({ subject, title }: Approval): string {
  switch (subject.kind) {
    case 'edit':
      return m.list_edit({ file: lastPart(plainText(subject.path)) });
    case 'write':
      return m.list_write({ file: lastPart(plainText(subject.path)) });
    case 'read':
      return m.list_read({ file: lastPart(plainText(subject.path)) });
    case 'fetch':
      return plainText(subject.url).replace(/^https?:\/\//, '');
    case 'command':
    case 'arguments':
      return title;
  }
}

function lastPart(path: string): string {
  return path.split('/').findLast((part) => part !== '') ?? path;
}
