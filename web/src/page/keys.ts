// What the standard keys mean, in plain words, and the names behind their numbers. Keys of an architecture are looked up without its name.

const general: Record<string, string> = {
  "general.architecture": "The kind of model: which operations its layers are made of. The other keys of the model begin with this word.",
  "general.type": "What the file holds: a model, an adapter, a vocabulary, or the part of a model that sees or hears.",
  "general.name": "The model's name, for people.",
  "general.author": "Who made the model.",
  "general.version": "The version its makers gave it.",
  "general.organization": "The organization that published it.",
  "general.finetune": "What the model was trained further for.",
  "general.basename": "The name of the family, without size and version.",
  "general.description": "What its makers say about it.",
  "general.quantized_by": "Who made this quantized file.",
  "general.quantization_version": "The version of the quantized formats; 2 is today's.",
  "general.file_type": "The type that most weights were stored in when the file was made.",
  "general.size_label": "Its size in short: parameters, or experts times parameters.",
  "general.license": "What may be done with the model.",
  "general.license.name": "The licence's full name.",
  "general.license.link": "Where the licence can be read.",
  "general.alignment": "Tensors begin at multiples of so many bytes; 32 where the key is missing.",
  "general.url": "The model's home page.",
  "general.repo_url": "Where the model's repository is.",
  "general.doi": "A lasting identifier of the publication.",
  "general.uuid": "An identifier of exactly these weights.",
  "general.tags": "Words to find it by.",
  "general.languages": "Languages it was made for.",
  "general.datasets": "What it was trained on.",
  "general.source.url": "Where the original was.",
  "general.source.repo_url": "The repository of the original.",
  "general.base_model.count": "How many models this one was made from.",
  "general.sampling.temp": "The temperature its makers suggest.",
  "general.sampling.top_k": "The top k its makers suggest.",
  "general.sampling.top_p": "The top p its makers suggest.",
  "general.sampling.min_p": "The min p its makers suggest.",
  "tokenizer.ggml.model": "The kind of tokenizer: gpt2 is byte-level BPE, llama is SentencePiece, bert is WordPiece, t5 is Unigram.",
  "tokenizer.ggml.pre": "How text is cut into words before they become tokens.",
  "tokenizer.ggml.tokens": "The vocabulary: the text of every token, its place being its id.",
  "tokenizer.ggml.scores": "How likely each token is; decides how SentencePiece cuts words.",
  "tokenizer.ggml.token_type": "What each token is: 1 ordinary, 2 unknown, 3 control, 4 added by its makers, 5 unused, 6 a byte.",
  "tokenizer.ggml.merges": "Pairs of pieces that byte-pair encoding joins, the first the soonest.",
  "tokenizer.ggml.added_tokens": "Tokens that were added after training.",
  "tokenizer.ggml.bos_token_id": "The token that begins a text.",
  "tokenizer.ggml.eos_token_id": "The token that ends a text: when the model writes it, it is done.",
  "tokenizer.ggml.eot_token_id": "The token that ends a turn of a chat.",
  "tokenizer.ggml.eom_token_id": "The token that ends a message that goes on, as before a tool's result.",
  "tokenizer.ggml.unknown_token_id": "Stands for what the vocabulary has no token for.",
  "tokenizer.ggml.separator_token_id": "Parts two texts.",
  "tokenizer.ggml.padding_token_id": "Fills short texts up when many are computed at once.",
  "tokenizer.ggml.cls_token_id": "The token whose place stands for the whole text.",
  "tokenizer.ggml.mask_token_id": "Stands for a word to be guessed.",
  "tokenizer.ggml.add_bos_token": "Whether a text is begun with the beginning token.",
  "tokenizer.ggml.add_eos_token": "Whether a text is ended with the ending token.",
  "tokenizer.ggml.add_sep_token": "Whether the separator is added.",
  "tokenizer.ggml.add_space_prefix": "Whether a space is put before the first word.",
  "tokenizer.ggml.remove_extra_whitespaces": "Whether several spaces become one.",
  "tokenizer.ggml.precompiled_charsmap": "How characters are normalized before they are cut.",
  "tokenizer.chat_template": "How a conversation becomes one text, as a Jinja template: where roles, messages and tools are put.",
  "split.no": "Which shard of the set this is, from 0.",
  "split.count": "How many shards the model has.",
  "split.tensors.count": "How many tensors all shards have together.",
  "quantize.imatrix.file": "The importance matrix that quantizing used.",
  "quantize.imatrix.dataset": "The text that the importance matrix was measured on.",
  "quantize.imatrix.entries_count": "How many tensors the importance matrix tells about.",
  "quantize.imatrix.chunks_count": "How many pieces of text the importance matrix was measured on.",
  "adapter.type": "The kind of adapter, as lora.",
  "adapter.lora.alpha": "How strongly the adapter changes the model.",
};

const ofArchitecture: Record<string, string> = {
  context_length: "How many tokens the model was trained to see at once.",
  embedding_length: "How many numbers stand for a token inside the model.",
  block_count: "How many layers it has.",
  feed_forward_length: "How wide the feed-forward part of a layer is.",
  vocab_size: "How many tokens the vocabulary has.",
  use_parallel_residual: "Whether attention and feed-forward read the same input.",
  tensor_data_layout: "How the rows of some tensors were reordered.",
  expert_count: "How many experts a layer has.",
  expert_used_count: "How many of them compute each token.",
  expert_shared_count: "How many experts compute every token.",
  expert_feed_forward_length: "How wide one expert is.",
  expert_shared_feed_forward_length: "How wide the shared experts are.",
  expert_weights_scale: "A factor of the experts' weights.",
  expert_weights_norm: "Whether the chosen experts' weights are made to sum to one.",
  expert_gating_func: "How experts are scored: 1 softmax, 2 sigmoid.",
  leading_dense_block_count: "How many of the first layers have no experts.",
  pooling_type: "How an embedding is made of all tokens: 0 none, 1 mean, 2 first token, 3 last token, 4 a score.",
  logit_scale: "A factor of the scores.",
  final_logit_softcapping: "Scores are bent so as to stay below this.",
  embedding_scale: "A factor of the embeddings.",
  residual_scale: "A factor of what each layer adds.",
  full_attention_interval: "Every so many layers one sees all tokens.",
  "attention.head_count": "How many attention heads a layer has: each looks at the text in its own way.",
  "attention.head_count_kv": "How many heads of keys and values; fewer than heads save memory for long texts.",
  "attention.key_length": "Numbers in a head's query and key.",
  "attention.value_length": "Numbers in a head's value.",
  "attention.layer_norm_epsilon": "A small number that keeps norms from dividing by zero.",
  "attention.layer_norm_rms_epsilon": "A small number that keeps norms from dividing by zero.",
  "attention.causal": "Whether a token sees only those before it.",
  "attention.sliding_window": "Some layers see only so many tokens back.",
  "attention.sliding_window_pattern": "Which layers have the window.",
  "attention.scale": "The factor of attention's scores.",
  "attention.max_alibi_bias": "How strongly distance weakens attention.",
  "attention.clamp_kqv": "Queries, keys and values are cut off at this.",
  "attention.q_lora_rank": "Queries are compressed to so many numbers.",
  "attention.kv_lora_rank": "Keys and values are compressed to so many numbers.",
  "attn_logit_softcapping": "Attention's scores are bent so as to stay below this.",
  "rope.dimension_count": "How many numbers of a head are rotated to encode places.",
  "rope.freq_base": "The base of the rotations' frequencies; larger for longer contexts.",
  "rope.scaling.type": "How the rotations are stretched to longer contexts: none, linear, yarn or longrope.",
  "rope.scaling.factor": "How far the context is stretched.",
  "rope.scaling.original_context_length": "The context before it was stretched.",
  "rope.scaling.finetuned": "Whether it was trained further on the stretched context.",
  "rope.scaling.attn_factor": "A factor of attention for a stretched context.",
  "rope.dimension_sections": "How the rotated numbers are shared between time, height and width.",
  "ssm.conv_kernel": "How many tokens the recurrent part blends.",
  "ssm.inner_size": "How wide the recurrent part is.",
  "ssm.state_size": "How much each channel remembers.",
  "ssm.time_step_rank": "How finely forgetting is controlled.",
  "ssm.group_count": "Groups that share their control of the state.",
  "wkv.head_size": "The size of a head of the recurrent state.",
};

/** What a key means; undefined where Straw does not know. */
export function meaningOf(key: string): string | undefined {
  if (Object.hasOwn(general, key)) return general[key];
  const rest = key.slice(key.indexOf(".") + 1);
  return Object.hasOwn(ofArchitecture, rest) ? ofArchitecture[rest] : undefined;
}

const named: Record<string, readonly string[]> = {
  pooling_type: ["none", "mean", "first token", "last token", "score"],
  expert_gating_func: ["none", "softmax", "sigmoid"],
};
const tokenTypes = ["undefined", "ordinary", "unknown", "control", "added", "unused", "byte"];

/** The name of a number where the key is an enumeration. */
export function nameOfValue(key: string, value: unknown): string | undefined {
  const n = Number(value);
  if (key === "tokenizer.ggml.token_type") return tokenTypes[n];
  const rest = key.slice(key.indexOf(".") + 1);
  return Object.hasOwn(named, rest) ? named[rest]?.[n] : undefined;
}

/** The part of a key before its first dot, by which keys are grouped. */
export function prefixOf(key: string): string {
  return key.split(".", 1)[0] as string;
}
