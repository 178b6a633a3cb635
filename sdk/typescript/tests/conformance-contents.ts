// What the servers of the official conformance suites hold, in both eras.

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
export const text = (text: string) => ({ type: 'text', text });
const image = { type: 'image', data: PNG, mimeType: 'image/png' };
const audio = { type: 'audio', data: WAV, mimeType: 'audio/wav' };
const embedded = (uri: string, text = 'This is an embedded resource content.') => ({
  type: 'resource',
  resource: { uri, mimeType: 'text/plain', text },
});

/** Tools that answer at once. */
export const SIMPLE: Record<string, () => object> = {
  test_simple_text: () => ({ content: [text('This is a simple text response for testing.')] }),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [audio] }),
  test_embedded_resource: () => ({ content: [embedded('test://embedded-resource')] }),
  test_multiple_content_types: () => ({
    content: [text('Multiple content types test:'), image, embedded('test://mixed-content-resource')],
  }),
  test_error_handling: () => ({
    content: [text('This tool intentionally returns an error for testing')],
    isError: true,
  }),
};

const prompt = (...contents: object[]) => ({
  messages: contents.map((content) => ({ role: 'user', content })),
});
/** Prompts. */
export const PROMPTS: Record<string, (args: Record<string, string>) => object> = {
  test_simple_prompt: () => prompt(text('This is a simple prompt for testing.')),
  test_prompt_with_arguments: ({ arg1, arg2 }) =>
    prompt(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  test_prompt_with_embedded_resource: ({ resourceUri = '' }) =>
    prompt(embedded(resourceUri), text('Please process the embedded resource above.')),
  test_prompt_with_image: () => prompt(image, text('Please analyze the image above.')),
};

/** A resource. */
export function resource(uri: string): object {
  if (uri === 'test://static-text')
    return { uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' };
  if (uri === 'test://static-binary') return { uri, mimeType: 'image/png', blob: PNG };
  const id = /^test:\/\/template\/(.+)\/data$/.exec(uri)?.[1];
  return {
    uri,
    mimeType: 'application/json',
    text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
  };
}

/** Resources that are listed. */
export const URIS = ['test://static-text', 'test://static-binary', 'test://watched-resource'];
