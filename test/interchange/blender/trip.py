"""
Opens glTF files in Blender and writes them again, with the options that Blender proposes.

Run as: blender -b --factory-startup --python trip.py -- JOBS.json
JOBS.json is a list of {from, fps, trips: [{to, sampling, fps?, turn?: {animation, joint, frame, degrees},
weights?: {joint, onto, share}, rest?: [{joint, by, degrees}], names?: {copies?, armature?, tracks?, again?}}]}.
A turn is what an animator does: choose the action, go to the frame, turn the bone about its own X, insert a key.
Weights is what a painter does: a share of all weights of one vertex group goes onto another.
Rest is what a rigger does in edit mode: a bone moved by so many units of the armature along Z, or turned about its own X.
Names is what becomes of names in a scene: the file opened several times, armatures renamed, NLA tracks called otherwise,
and behind each action the one that was there before an edit.
"""

import json
import math
import sys

import bpy
import numpy
from mathutils import Matrix, Quaternion, Vector

# Debian 12 pairs Blender 3.4 with a NumPy that has dropped this name, which the glTF add-on uses
if not hasattr(numpy, "bool"):
    numpy.bool = bool


def strip_of(thing, track):
    if thing.animation_data is None:
        return None
    for nla in thing.animation_data.nla_tracks:
        if nla.name == track and len(nla.strips) == 1:
            return nla.strips[0]
    return None


def turn(animation, joint, frame, degrees):
    about_x = Quaternion((1.0, 0.0, 0.0), math.radians(degrees))
    for thing in bpy.data.objects:
        strip = strip_of(thing, animation)
        if strip is None:
            continue
        target = thing.pose.bones.get(joint) if thing.type == "ARMATURE" else thing if thing.name == joint else None
        if target is None:
            continue
        thing.animation_data.action = strip.action
        bpy.context.scene.frame_set(frame)
        target.rotation_mode = "QUATERNION"
        target.rotation_quaternion = target.rotation_quaternion @ about_x
        target.keyframe_insert("rotation_quaternion", frame=frame)
        return
    raise RuntimeError(f"nothing called {joint} is moved by {animation}")


def weights(joint, onto, share):
    for thing in bpy.data.objects:
        if thing.type != "MESH" or joint not in thing.vertex_groups:
            continue
        group = thing.vertex_groups[joint]
        other = thing.vertex_groups.get(onto) or thing.vertex_groups.new(name=onto)
        for vertex in thing.data.vertices:
            for element in vertex.groups:
                if element.group == group.index and element.weight > 0:
                    moved = element.weight * share
                    group.add([vertex.index], element.weight - moved, "REPLACE")
                    other.add([vertex.index], moved, "ADD")
                    break


def rest(changes):
    armature = next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    for change in changes:
        bone = armature.data.edit_bones[change["joint"]]
        if change["by"]:
            bone.translate(Vector((0.0, 0.0, change["by"])))
        if change["degrees"]:
            about = Matrix.Translation(bone.head) @ Matrix.Rotation(math.radians(change["degrees"]), 4, bone.x_axis) @ Matrix.Translation(-bone.head)
            bone.transform(about)
    bpy.ops.object.mode_set(mode="OBJECT")


def names(armature=None, tracks=None, again=False, **_):
    for thing in [thing for thing in bpy.data.objects if thing.type == "ARMATURE"]:
        if armature:
            thing.name = armature
            thing.data.name = armature
        if thing.animation_data is None:
            continue
        for nla in list(thing.animation_data.nla_tracks):
            action = nla.strips[0].action
            if again:
                # as somebody keeps what was before an edit
                before = thing.animation_data.nla_tracks.new()
                before.name = f"{nla.name}.001"
                before.strips.new(before.name, int(action.frame_range[0]), action.copy())
            if tracks:
                nla.name = tracks.format(armature=thing.name, track=nla.name, action=action.name)


def main():
    with open(sys.argv[sys.argv.index("--") + 1], encoding="utf-8") as file:
        jobs = json.load(file)
    for job in jobs:
        for trip in job["trips"]:
            bpy.ops.wm.read_factory_settings(use_empty=True)
            bpy.context.scene.render.fps = trip.get("fps", job["fps"])
            called = trip.get("names") or {}
            for _ in range(called.get("copies", 1)):
                bpy.ops.import_scene.gltf(filepath=job["from"])
            names(**called)
            if trip.get("turn"):
                turn(**trip["turn"])
            if trip.get("weights"):
                weights(**trip["weights"])
            if trip.get("rest"):
                rest(trip["rest"])
            bpy.ops.export_scene.gltf(filepath=trip["to"], export_force_sampling=trip["sampling"])
    print("marrow: all trips done")


main()
