/// The type that the quota is a part of.
public enum TrackerConfiguration {}
