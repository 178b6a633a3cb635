import type { Approval, Revealed, SubjectView } from '../../../generated/protocol';

/** The request with its redacted values in their places; how it was judged stays as it is. */
export function withRevealed(approval: Approval, revealed: Revealed): Approval {
  const { arguments: rows, subject, editable_arguments } = revealed;
  return {
    ...approval,
    arguments: rows,
    subject: subject === undefined ? approval.subject : judged(subject, approval.subject),
    ...(editable_arguments === undefined ? {} : { editable_arguments }),
  };
}

/** A revealed command line keeps the rows of the redacted one when it comes without its own. */
function judged(subject: SubjectView, before: SubjectView): SubjectView {
  if (subject.kind !== 'command' || before.kind !== 'command' || subject.parts.length > 0) return subject;
  const { parts, obstacle } = before;
  return { ...subject, parts, ...(obstacle === undefined ? {} : { obstacle }) };
}
